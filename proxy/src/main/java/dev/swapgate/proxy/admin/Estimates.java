package dev.swapgate.proxy.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How well the gate foresaw the swaps that are shown.
 *
 * @param swaps those that were seen from beginning to end
 * @param medianErrorSeconds expected minus true: negative when swaps took longer; null for none
 * @param medianOffSeconds the same without its sign; null for none
 * @param worstOffSeconds null for none
 */
record Estimates(
    int swaps,
    @Nullable Double medianErrorSeconds,
    @Nullable Double medianOffSeconds,
    @Nullable Double worstOffSeconds) {

  private static final ObjectMapper JSON = new ObjectMapper();

  static Estimates of(List<String> swaps) {
    List<Double> errors = new ArrayList<>();
    for (String swap : swaps) {
      JsonNode error = read(swap).path("error_seconds");
      if (error.isNumber()) {
        errors.add(error.doubleValue());
      }
    }
    List<Double> off = errors.stream().map(Math::abs).sorted().toList();
    return new Estimates(
        errors.size(),
        middle(errors.stream().sorted().toList()),
        middle(off),
        off.isEmpty() ? null : off.getLast());
  }

  private static @Nullable Double middle(List<Double> sorted) {
    return sorted.isEmpty() ? null : sorted.get(sorted.size() / 2);
  }

  private static JsonNode read(String swap) {
    try {
      return JSON.readTree(swap);
    } catch (IOException e) {
      throw new UncheckedIOException("a swap in the store is not JSON", e);
    }
  }
}
