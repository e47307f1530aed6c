package dev.swapgate.backends.gpu;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * In which container a process runs, by its control group. The id stands there in many dresses:
 * {@code /docker/<id>} (v1), {@code /system.slice/docker-<id>.scope} (v2), {@code
 * cri-containerd-<id>.scope}, {@code /kubepods/…/<id>}; it is always 64 hexadecimal digits.
 */
final class ContainerOfProcess {
  private static final Pattern ID = Pattern.compile("(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])");

  private final Path processes;

  /**
   * @param processes {@code /proc}
   */
  ContainerOfProcess(Path processes) {
    this.processes = processes;
  }

  /** The container's id; empty when it runs in none, is gone, or is hidden from us. */
  String containerId(int pid) {
    try {
      Path groups = processes.resolve(Integer.toString(pid)).resolve("cgroup");
      String last = "";
      for (String line : Files.readAllLines(groups)) {
        Matcher id = ID.matcher(line);
        while (id.find()) {
          last = id.group(); // The innermost: a container may run in another one's daemon.
        }
        if (!last.isEmpty()) {
          return last;
        }
      }
      return "";
    } catch (IOException | UncheckedIOException goneOrHidden) {
      return "";
    }
  }
}
