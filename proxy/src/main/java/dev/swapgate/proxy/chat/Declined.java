package dev.swapgate.proxy.chat;

import java.time.Duration;

/** Why no fallback provider answered, when nothing has been sent to the client yet. */
sealed interface Declined {

  /** None was meant to: it is switched off, full, or nobody has what is asked. */
  record NotServed() implements Declined {}

  /** All that could answer are set aside; the first is free again after {@code left}. */
  record Cooling(Duration left) implements Declined {}

  /** Who was asked did not bring it off. */
  record Failed() implements Declined {}
}
