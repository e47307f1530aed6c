package dev.swapgate.proxy.e2e;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A minimal system in a folder, as {@code scripts/lib/bare.sh} makes it: what runs in it finds a
 * JDK, a Docker daemon, Git and sudo, and nothing else that this machine has.
 */
record BareMachine(Path root, Path shared) {
  static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  private static final String LIBRARIES =
      "cd \"$0\"; for name in say jdk setup bare; do . scripts/lib/$name.sh; done; ";

  /** Makes one beside what lies in a folder, which it sees under the same name. */
  static BareMachine make(Path folder) {
    Path root = folder.resolve("bare");
    Program.run("bash", "-c", LIBRARIES + "bare_make \"$1\"", checkout(), root.toString());
    return new BareMachine(root, folder);
  }

  /** A program in it, as root, with this environment alone. */
  ProcessBuilder program(Map<String, String> environment, String... command) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "bash",
                "-c",
                LIBRARIES + "bare_exec \"$1\" \"$2\" \"$(find_jdk)\" env -i \"${@:3}\"",
                checkout(),
                root.toString(),
                shared.toString()));
    environment.forEach((name, value) -> words.add(name + "=" + value));
    words.addAll(List.of(command));
    return new ProcessBuilder(words);
  }

  /** Its mounts ended with the programs in it. */
  void remove() {
    Program.run("rm", "-rf", "--one-file-system", root.toString());
  }

  private static String checkout() {
    return Simulators.checkout().toString();
  }
}
