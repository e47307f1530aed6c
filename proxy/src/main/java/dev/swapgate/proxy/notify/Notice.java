package dev.swapgate.proxy.notify;

import java.time.Instant;
import java.util.Locale;

/**
 * One thing worth telling.
 *
 * @param text one sentence for people, as it stands in the log
 * @param backend empty when none is concerned
 * @param job empty when none is concerned
 */
record Notice(Kind kind, Instant at, String text, String backend, String job) {

  /** What is told. */
  enum Kind {
    DEGRADED,
    HEALED,
    JOB_DONE,
    JOB_FAILED;

    /** As in the configuration and on the wire: {@code job_done}. */
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** For people: {@code job done}. */
    String title() {
      return word().replace('_', ' ');
    }

    boolean isBad() {
      return this == DEGRADED || this == JOB_FAILED;
    }
  }
}
