package dev.swapgate.gate.core;

/** How a Docker command ended: a call has three ends, not two. */
public sealed interface CommandEnd {

  /** The daemon said that it did it. */
  record Done() implements CommandEnd {}

  /** The daemon said that it did not do it. */
  record Failed(String reason) implements CommandEnd {}

  /**
   * Nobody knows: the deadline passed, the connection broke, or the answer proves nothing (a 304).
   * The daemon may still do it later.
   */
  record Unknown(String reason) implements CommandEnd {}
}
