package dev.swapgate.proxy.door;

import dev.swapgate.gate.core.Backend;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * What one door is built from.
 *
 * @param url where the media server itself answers
 * @param boundHost the address that the door is bound to
 * @param hosts further names by which it may be called
 * @param idle how long a visit lasts after somebody at a browser did something
 * @param longestWork how long the server may be at one and the same work before that counts as
 *     standing still
 * @param requestBody the largest request in bytes that is kept in memory while the server sleeps
 */
public record DoorSettings(
    Backend.Id backend,
    URI url,
    String boundHost,
    List<String> hosts,
    Duration idle,
    Duration longestWork,
    long requestBody) {

  public DoorSettings {
    hosts = List.copyOf(hosts);
    if (!idle.isPositive()) {
      throw new IllegalArgumentException("door_idle must be positive, was " + idle);
    }
  }
}
