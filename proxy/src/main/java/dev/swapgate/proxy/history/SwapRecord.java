package dev.swapgate.proxy.history;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One swap, as it is kept and shown.
 *
 * @param since when the turnstile shut
 * @param until when it opened again; null while it has not
 * @param seconds how long that took, or has taken so far
 * @param expectedSeconds what the gate expected when it began; null when it was not seen beginning
 * @param errorSeconds expected minus true; null while it is not over
 * @param from the engine that served before; null when unknown
 * @param fromSince since when it had served, as far as this process saw it; null when unknown
 * @param to the engine that serves since; null while none does
 * @param whole false when swapgate was started in the middle of it
 * @param steps what was done, in order
 */
public record SwapRecord(
    String since,
    @Nullable String until,
    double seconds,
    @Nullable Double expectedSeconds,
    @Nullable Double errorSeconds,
    @Nullable String from,
    @Nullable String fromSince,
    @Nullable String to,
    boolean whole,
    List<Step> steps,
    List<JobLine> jobs,
    Chat chat) {
  public SwapRecord {
    steps = List.copyOf(steps);
    jobs = List.copyOf(jobs);
  }

  /**
   * A stretch in one phase under one owner.
   *
   * @param owner who should have the card; null for nobody
   * @param at seconds since the swap began
   * @param freeMib what the card had free at its end; null when it was not measured in it
   */
  public record Step(
      String phase, @Nullable String owner, double at, double seconds, @Nullable Long freeMib) {}

  /** A job that ended in it. */
  public record JobLine(String id, String backend, String end) {}

  /**
   * What chat met.
   *
   * @param told how many were told a time to come back
   * @param medianErrorSeconds told minus true wait; null when nobody was told
   * @param worstEarlySeconds how much too early the worst of them was told to come; 0 for never
   */
  public record Chat(
      long refused,
      long held,
      long told,
      @Nullable Double medianErrorSeconds,
      double worstEarlySeconds) {}
}
