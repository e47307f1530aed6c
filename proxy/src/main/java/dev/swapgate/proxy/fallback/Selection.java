package dev.swapgate.proxy.fallback;

import java.time.Duration;

/** What the pool says when it is asked for a member. */
public sealed interface Selection {

  record Chosen(Choice choice) implements Selection {}

  /** All that could answer are set aside; the first is free again after {@code left}. */
  record Cooling(Duration left) implements Selection {}

  /** No member could answer this, now or later; or all that can were asked already. */
  record Nobody() implements Selection {}
}
