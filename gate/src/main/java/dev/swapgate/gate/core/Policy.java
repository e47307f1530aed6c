package dev.swapgate.gate.core;

import java.time.Duration;

/**
 * The rules of the box that belong to no single backend.
 *
 * @param minChat how long chat is served between two swaps at least
 * @param maxOutage after which no further job is begun within one swap
 * @param linger how long a media backend keeps the card when its queue is empty
 * @param handLease how long a media backend that was started by hand keeps the card
 * @param retryAfterMin the smallest Retry-After
 * @param retryAfterMax the largest Retry-After
 * @param queue how many jobs may wait
 * @param idle how long nobody has chatted when a job that waits for that may begin
 * @param batchQuiet after how long without media work the selected engine replaces the batch engine
 */
public record Policy(
    Duration minChat,
    Duration maxOutage,
    Duration linger,
    Duration handLease,
    Duration retryAfterMin,
    Duration retryAfterMax,
    int queue,
    Duration idle,
    Duration batchQuiet) {

  /** Chat is idle after 5 minutes, media work after 10. */
  public Policy(
      Duration minChat,
      Duration maxOutage,
      Duration linger,
      Duration handLease,
      Duration retryAfterMin,
      Duration retryAfterMax,
      int queue) {
    this(
        minChat,
        maxOutage,
        linger,
        handLease,
        retryAfterMin,
        retryAfterMax,
        queue,
        Duration.ofMinutes(5),
        Duration.ofMinutes(10));
  }
}
