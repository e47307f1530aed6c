package dev.swapgate.proxy.chat;

/** Hears of requests that could not go in at once. Called on I/O threads: must return at once. */
public interface ChatWitness {

  /** Nobody listens. */
  ChatWitness NONE = new ChatWitness() {};

  /**
   * A request was refused, and told the gate's own figure as the time to come back.
   *
   * @param seconds its Retry-After
   */
  default void refused(int seconds) {}

  /** A request was refused otherwise: with a figure its client was limited to, or with a 503. */
  default void refused() {}

  /** A request is held silently. */
  default void held() {}
}
