package dev.swapgate.proxy.check;

import dev.swapgate.backends.docker.DaemonVersion;
import dev.swapgate.gate.port.BackendException;
import dev.swapgate.proxy.admin.Finding;
import dev.swapgate.proxy.admin.Finding.Severity;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks at the daemon: may we ask it, and does it speak what we do? */
final class DockerCheck {

  /** Docker 20.10, the oldest it was tried with. */
  private static final int OLDEST_MINOR = 41;

  private static final Pattern API = Pattern.compile("1\\.([0-9]{1,6})");

  private DockerCheck() {}

  static Finding unreachable(URI host, BackendException e) {
    String said = String.valueOf(e.getMessage());
    boolean rights = said.toLowerCase(Locale.ROOT).contains("permission denied");
    return new Finding(
        rights ? "docker_socket_rights" : "docker_unreachable",
        Severity.PROBLEM,
        "",
        rights
            ? "the user that runs swapgate may not use Docker's socket at " + host + ": " + said
            : "Docker at " + host + " cannot be asked: " + said,
        "nothing can be stopped or started; swapgate waits for it and serves what runs",
        rights
            ? "usermod -aG docker USER for the user that runs swapgate, then start it anew; in a"
                + " container: the group of the socket under group_add"
            : "systemctl start docker, or correct docker.host in swapgate.yaml");
  }

  static Optional<Finding> version(DaemonVersion version) {
    Matcher api = API.matcher(version.apiVersion());
    if (api.matches() && Integer.parseInt(api.group(1)) >= OLDEST_MINOR) {
      return Optional.empty();
    }
    return Optional.of(
        new Finding(
            "docker_api_old",
            Severity.WARNING,
            "",
            "Docker " + version.version() + " speaks API " + version.apiVersion(),
            "swapgate is tried with 1." + OLDEST_MINOR + " (Docker 20.10) and newer",
            "update Docker: docker version shows what runs"));
  }
}
