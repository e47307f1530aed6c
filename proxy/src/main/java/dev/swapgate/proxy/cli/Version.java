package dev.swapgate.proxy.cli;

import java.util.Objects;

/** The version the build wrote into the jar. */
final class Version {

  private Version() {}

  /** {@code unpacked} when it does not run from a jar. */
  static String ofThisProgram() {
    return Objects.requireNonNullElse(
        Version.class.getPackage().getImplementationVersion(), "unpacked");
  }
}
