package dev.swapgate.backends.docker;

import com.github.dockerjava.api.command.InspectContainerResponse;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Fields of an inspected container that docker-java 3.7.1 has no accessor for. */
final class RawValues {
  private RawValues() {}

  /** A field of {@code Config}; null when Docker did not send it. */
  static @Nullable Object config(InspectContainerResponse seen, String field) {
    // Only the outermost object keeps what was sent; the ones inside it are empty here.
    Map<String, Object> raw = seen.getRawValues();
    return raw != null && raw.get("Config") instanceof Map<?, ?> config ? config.get(field) : null;
  }
}
