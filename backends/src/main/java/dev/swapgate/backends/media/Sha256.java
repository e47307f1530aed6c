package dev.swapgate.backends.media;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** A digest that every Java has. */
final class Sha256 {
  private Sha256() {}

  static MessageDigest begin() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
  }
}
