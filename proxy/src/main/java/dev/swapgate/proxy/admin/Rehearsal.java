package dev.swapgate.proxy.admin;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a rehearsal saw so far, on the wire.
 *
 * @param engine the engine that served, and should again
 * @param state {@code running done failed}
 * @param reason why it failed; empty otherwise
 * @param times what each step took, once it was seen
 * @param advice what to change in the containers, in sentences
 * @param yaml the keys of {@code swapgate.yaml} that it would set; empty when they are right
 */
record Rehearsal(
    String id,
    String backend,
    String engine,
    String state,
    String reason,
    String started,
    double seconds,
    List<Line> timeline,
    List<Time> times,
    List<Stop> stops,
    Card card,
    List<String> advice,
    String yaml) {

  static final String RUNNING = "running";
  static final String DONE = "done";
  static final String FAILED = "failed";

  /** One thing that happened, by seconds since the rehearsal began. */
  record Line(double at, String what, String text) {}

  /** How long one step of one backend took: {@code drain stop release start_to_ready}. */
  record Time(String backend, String step, double seconds) {}

  /**
   * How a container ended.
   *
   * @param exitCode null when Docker does not tell
   * @param killed it did not end by itself within its grace period
   */
  record Stop(
      String backend,
      String container,
      double seconds,
      double graceSeconds,
      @Nullable Integer exitCode,
      boolean killed) {}

  /**
   * The card's memory; null where it cannot be read.
   *
   * @param emptyMib free with both containers down: the empty card
   * @param engineMib what the engine holds while it serves
   */
  record Card(@Nullable Long totalMib, @Nullable Long emptyMib, @Nullable Long engineMib) {}
}
