package dev.swapgate.gate.runtime;

/**
 * A decision of our own would break a promise of DESIGN 9. The turnstile shuts, state and event are
 * logged, and the process ends with 70; the next start takes over. What the world does is never a
 * breach.
 */
public final class InvariantBreach extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public InvariantBreach(String message) {
    super(message);
  }
}
