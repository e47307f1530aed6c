package dev.swapgate.proxy.e2e;

import dev.swapgate.proxy.config.ConfigLoader;
import dev.swapgate.proxy.config.SwapgateConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One of the configurations that are shipped for servers of many makes.
 *
 * @param text of the file
 */
record Example(Path file, String text) {

  static Example named(String name) throws IOException {
    Path file = folder().resolve(name + ".yaml");
    return new Example(file, Files.readString(file));
  }

  static List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder())) {
      return files
          .map(file -> file.getFileName().toString().replaceFirst("[.]yaml$", ""))
          .sorted()
          .toList();
    }
  }

  private static Path folder() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("compose/examples"))) {
      folder = folder.getParent();
    }
    return folder.resolve("compose/examples");
  }

  /** As it is read where its server listens on another port. */
  SwapgateConfig config(Path state, int port) {
    String here =
        "state_dir: "
            + state
            + "\n"
            + text.replaceFirst("127.0.0.1:\\d+\n", "127.0.0.1:" + port + "\n");
    return new ConfigLoader(Map.of()).parse(file.toString(), here, state);
  }

  /** What it says of its media server, besides where that is. */
  String mediaKeys() {
    return text.substring(text.indexOf("\nmedia:\n"))
        .lines()
        .filter(line -> line.startsWith("    "))
        .filter(line -> !line.startsWith("    container:") && !line.startsWith("    url:"))
        .map(line -> line.substring(4) + "\n")
        .collect(Collectors.joining());
  }
}
