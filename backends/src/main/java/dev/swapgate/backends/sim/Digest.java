package dev.swapgate.backends.sim;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256, from which everything deterministic in the pretend box is made. */
final class Digest {

  private Digest() {}

  static byte[] of(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  static byte[] of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(of(bytes));
  }
}
