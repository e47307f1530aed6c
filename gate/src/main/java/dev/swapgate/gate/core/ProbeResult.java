package dev.swapgate.gate.core;

/** What one readiness probe saw. */
public sealed interface ProbeResult {

  record Passed() implements ProbeResult {}

  /**
   * @param reason what was seen, for people: "connection refused", "status 503, accepted 200"
   */
  record NotReady(String reason) implements ProbeResult {}
}
