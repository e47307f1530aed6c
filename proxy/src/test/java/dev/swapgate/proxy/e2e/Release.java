package dev.swapgate.proxy.e2e;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A release archive, unpacked somewhere, used by its own launcher. */
record Release(Path top) {

  /** Packs what the build made, without building again. */
  static Path pack(Path out) throws IOException {
    Program.run(
        Simulators.checkout().resolve("scripts/package").toString(),
        "--no-build",
        "--out",
        out.toString());
    try (Stream<Path> files = Files.list(out)) {
      return files.filter(file -> file.toString().endsWith(".tar.gz")).findFirst().orElseThrow();
    }
  }

  /** Unpacks it at that place, as an update would, over what is there. */
  static Release unpack(Path archive, Path place) throws IOException {
    Files.createDirectories(place);
    Program.run("tar", "-xzf", archive.toString(), "-C", place.toString(), "--strip-components=1");
    return new Release(place);
  }

  Path launcher() {
    return top.resolve("scripts/swapgate");
  }

  String run(String... words) {
    List<String> command = new ArrayList<>(List.of(launcher().toString()));
    command.addAll(List.of(words));
    return Program.run(command.toArray(String[]::new));
  }

  /** Begins to serve; returns when the admin side answers. */
  Process serve(Path config, URI admin, Path log) throws IOException {
    Process process =
        new ProcessBuilder(launcher().toString(), "--config", config.toString(), "serve")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    try (AdminApi api = new AdminApi(admin)) {
      Await.until(
          () -> "swapgate answers; see " + log,
          Duration.ofSeconds(90),
          () -> api.code("/healthz") == 200 || !process.isAlive());
    }
    return process;
  }
}
