package dev.swapgate.backends.sim;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds out in which container this process runs, as far as a process can see it. */
final class ContainerId {
  /** Docker binds {@code resolv.conf} and others from here; seen with both cgroup versions. */
  private static final Pattern IN_MOUNTS = Pattern.compile("/containers/([0-9a-f]{64})/");

  /** Only cgroup v1 shows it; a private v2 namespace says just {@code 0::/}. */
  private static final Pattern IN_CGROUP = Pattern.compile("([0-9a-f]{64})");

  private static final Pattern SHORT_ID = Pattern.compile("[0-9a-f]{12}");

  private ContainerId() {}

  /**
   * The full id, or the 12 digits of the host name, or "". {@code SIM_CONTAINER_ID} overrules: a
   * stand-in for Docker that starts plain processes says by it which container is meant.
   */
  static String ofThisProcess() {
    String told = System.getenv("SIM_CONTAINER_ID");
    if (told != null) {
      return told;
    }
    if (System.getenv("SIM_IN_CONTAINER") == null) {
      // Only our image sets this. The machine may itself be a container, but not one of the box's.
      return "";
    }
    String seen = first(IN_MOUNTS, "/proc/self/mountinfo");
    if (seen.isEmpty()) {
      seen = first(IN_CGROUP, "/proc/self/cgroup");
    }
    return seen.isEmpty() ? shortIdFromHostName() : seen;
  }

  private static String shortIdFromHostName() {
    String host = read("/proc/sys/kernel/hostname").strip();
    return SHORT_ID.matcher(host).matches() ? host : "";
  }

  private static String first(Pattern pattern, String file) {
    Matcher matcher = pattern.matcher(read(file));
    return matcher.find() ? matcher.group(1) : "";
  }

  private static String read(String file) {
    try {
      return Files.readString(Path.of(file));
    } catch (IOException e) {
      return "";
    }
  }
}
