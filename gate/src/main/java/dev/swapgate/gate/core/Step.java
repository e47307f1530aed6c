package dev.swapgate.gate.core;

import java.time.Duration;

/** What the reconciler wants done next: the first rule that applies gives one. */
public sealed interface Step {

  /** Nothing is to be done. */
  record Rest() implements Step {}

  /** Docker cannot be asked: no command; the engine whose drain can be called off is probed. */
  record Blind(String reason) implements Step {}

  /** A command or a time is waited for. */
  record Await(String what, Duration until) implements Step {}

  /** A command whose end is unknown may still take effect: look until two looks agree. */
  record Settling(String what) implements Step {}

  /** No usable sighting: look, and do nothing else. */
  record Look() implements Step {}

  /** The turnstile is shut for this engine; those inside may finish until then. */
  record Drain(Backend.Id engine, Duration until) implements Step {}

  /** The drain budget is over: end the rest visibly. */
  record Cut(Backend.Id engine) implements Step {}

  record Stop(Backend.Id backend, String why) implements Step {}

  record Kill(Backend.Id backend, String why) implements Step {}

  /** The card's proof of release is sought for this backend. */
  record Measure(Backend.Id backend) implements Step {}

  /** One of ours holds the card though it is down: nothing is started. */
  record Held(Backend.Id backend, String holder) implements Step {}

  /**
   * @param proven false when the engine is started though strangers hold the card
   */
  record Start(Backend.Id backend, boolean proven) implements Step {}

  record Probe(Backend.Id backend) implements Step {}

  /** The media backend has the card and is ready: its jobs run. */
  record Work(Backend.Id media) implements Step {}

  /** The media backend did not come up, or the card was not free for it: the visit ends. */
  record FailVisit(Backend.Id media, String reason) implements Step {}

  /**
   * An attempt to bring the engine back failed.
   *
   * @param counts false when the machine was not ready for it
   */
  record FailRestore(Backend.Id engine, String reason, boolean counts) implements Step {}

  /** Its readiness budget is over and it still runs: told once, probed on. */
  record Overdue(Backend.Id engine, Duration elapsed) implements Step {}
}
