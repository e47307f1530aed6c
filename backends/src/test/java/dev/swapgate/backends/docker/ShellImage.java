package dev.swapgate.backends.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.BuildImageResultCallback;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An image of this machine's own shell: no registry, and nothing to install. */
final class ShellImage {
  static final String NAME = "swapgate/dkit-shell:local";
  private static final List<String> PROGRAMS = List.of("/bin/sh", "/bin/sleep");
  private static final Pattern LIBRARY = Pattern.compile("(/\\S+) \\(0x");

  private ShellImage() {}

  static void build(DockerClient docker, Path folder) throws Exception {
    List<String> copies = new ArrayList<>(List.of("FROM scratch"));
    for (String file : filesNeeded()) {
      Path copy = folder.resolve(file.substring(1).replace('/', '_'));
      Files.copy(Path.of(file), copy); // What a link points at, not the link.
      copies.add("COPY " + copy.getFileName() + " " + file);
    }
    Files.write(folder.resolve("Dockerfile"), copies);
    docker
        .buildImageCmd(new File(folder.toFile(), "Dockerfile"))
        .withTags(Set.of(NAME))
        .exec(new BuildImageResultCallback())
        .awaitImageId();
  }

  private static Set<String> filesNeeded() throws IOException, InterruptedException {
    Set<String> files = new TreeSet<>(PROGRAMS);
    for (String program : PROGRAMS) {
      Process ldd = new ProcessBuilder("ldd", program).redirectErrorStream(true).start();
      String said = new String(ldd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      ldd.waitFor();
      Matcher library = LIBRARY.matcher(said);
      while (library.find()) {
        files.add(library.group(1));
      }
    }
    return files;
  }
}
