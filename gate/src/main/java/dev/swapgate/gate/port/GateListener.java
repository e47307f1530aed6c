package dev.swapgate.gate.port;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.GateEvent;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.StepTimes;

/** Who is told what the gate does. Called on the gate's thread: must return at once. */
public interface GateListener {

  /** Something changed that a person could see. */
  default void changed(GateView view) {}

  default void happened(GateEvent event) {}

  /** A step was brought to its end, and how long it took will be remembered. */
  default void learned(StepTimes.Sample sample) {}

  /**
   * The drain budget is over: every answer of this engine that still runs must end now, visibly, as
   * the shape of its stream asks, and its ticket be given back.
   *
   * @param retryAfterSeconds what to tell them
   */
  default void cut(Backend.Id engine, int retryAfterSeconds) {}
}
