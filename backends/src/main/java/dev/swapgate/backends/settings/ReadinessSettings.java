package dev.swapgate.backends.settings;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * How a backend's readiness is asked for. No default path fits all: one engine answers 401 on
 * {@code /v1/models} without a key, another answers it 200 while it still loads.
 *
 * @param accept statuses that count as ready
 * @param bodyContains text the body must contain; empty for any body
 * @param timeout of one attempt, in all
 */
public record ReadinessSettings(
    String path,
    Set<Integer> accept,
    String bodyContains,
    Map<String, String> headers,
    Duration timeout) {
  public ReadinessSettings {
    accept = Set.copyOf(accept);
    headers = Map.copyOf(headers);
  }

  /** Header values may be secret and are not shown. */
  @Override
  public String toString() {
    return "ReadinessSettings[path=%s, accept=%s, bodyContains=%s, headers=%s, timeout=%s]"
        .formatted(path, accept, bodyContains, headers.keySet(), timeout);
  }
}
