package dev.swapgate.backends.docker;

import dev.swapgate.gate.port.BackendException;
import java.util.regex.Pattern;

/** What Docker accepts as a container's name; anything else must not get into a request path. */
final class ContainerName {
  private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9_.-]{0,254}");
  private static final Pattern LIKE_AN_ID = Pattern.compile("[0-9a-f]+");

  private ContainerName() {}

  static void check(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new BackendException(
          "\"" + name + "\" can't be a container's name: Docker allows " + NAME.pattern());
    }
  }

  /** True when Docker could take this name for the beginning of another container's id. */
  static boolean looksLikeAnId(String name) {
    return LIKE_AN_ID.matcher(name).matches();
  }
}
