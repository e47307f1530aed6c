package dev.swapgate.proxy.fallback;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How much of a provider a limit or a fault concerns. */
public enum Cover {
  PROVIDER,
  MODEL,
  KEY;

  /** As in the configuration: {@code model}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** By its word; empty when there is none. */
  public static Optional<Cover> of(String word) {
    return Arrays.stream(values()).filter(one -> one.word().equals(word)).findFirst();
  }
}
