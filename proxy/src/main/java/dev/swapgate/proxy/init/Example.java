package dev.swapgate.proxy.init;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The shipped files of {@code compose/examples}, which the build puts into the jar. */
final class Example {
  private Example() {}

  /** The lines of its media backend, without the line that names it. */
  static List<String> keys(String name) {
    try (InputStream in = Example.class.getResourceAsStream("/examples/" + name + ".yaml")) {
      if (in == null) {
        throw new IllegalStateException("the build left out compose/examples/" + name + ".yaml");
      }
      List<String> lines =
          new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).lines().toList();
      return lines.subList(lines.indexOf("media:") + 2, lines.size());
    } catch (IOException e) {
      throw new UncheckedIOException("the jar cannot be read", e);
    }
  }
}
