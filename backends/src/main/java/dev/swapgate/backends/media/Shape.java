package dev.swapgate.backends.media;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;

/** A short, stable name for all requests that take about the same time. */
public final class Shape {

  /** What is given for a request that could not be read. */
  public static final String UNREADABLE = "unreadable";

  private Shape() {}

  /** Twelve hexadecimal digits over the traits, whatever order they come in. */
  public static String of(List<String> traits) {
    MessageDigest digest = Sha256.begin();
    traits.stream()
        .sorted()
        .forEach(trait -> digest.update((trait + "\n").getBytes(StandardCharsets.UTF_8)));
    return HexFormat.of().formatHex(digest.digest(), 0, 6);
  }
}
