package dev.swapgate.gate.sim;

/** Known-bad variants: each must be caught, or the simulation proves nothing. */
enum Plant {
  NONE,
  /** An unknown start is taken for one that failed: no settling. */
  NO_FENCE,
  /** The card is said to be free before it is. */
  NO_MEMORY_WAIT,
  /** A stop that was not answered is sent again. */
  DOUBLE_STOP,
  /** A cancellation is confirmed and not written. */
  CANCEL_NOT_FINAL,
  /** A job is acknowledged before it is on disk. */
  ACK_BEFORE_WRITE,
  /** The media server is said to have been collected from, before it was. */
  COLLECT_LIES,
  /** Attempts are not written before the server hears of them. */
  ATTEMPT_NOT_WRITTEN,
  /** A probe passes while the engine still loads. */
  PROBE_LIES,
  /** Commands are not noted before they are sent. */
  NOT_NOTED,
  /** Chat goes in though the turnstile is shut. */
  NO_TURNSTILE,
  /** The server's "not known" is believed at once, while it has the job. */
  FORGETFUL_FOLLOW
}
