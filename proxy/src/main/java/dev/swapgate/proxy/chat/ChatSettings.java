package dev.swapgate.proxy.chat;

import dev.swapgate.gate.core.Backend;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * What the chat side is built from.
 *
 * @param engines where each engine answers
 * @param tailHold with no more than this left of a swap, any request is held silently instead of
 *     refused; zero is off
 * @param stateDir where the remembered model lists survive a restart
 */
public record ChatSettings(
    Map<Backend.Id, EngineSettings> engines, Duration tailHold, Limits limits, Path stateDir) {

  public ChatSettings {
    engines = Map.copyOf(engines);
    if (tailHold.isNegative()) {
      throw new IllegalArgumentException("tail_hold must not be negative, was " + tailHold);
    }
  }

  /**
   * One engine.
   *
   * @param url {@code http://host:port}, optionally with a path that is put before every target
   * @param models client's name of a model to the engine's; empty leaves bodies untouched
   */
  public record EngineSettings(URI url, Map<String, String> models) {
    public EngineSettings {
      models = Map.copyOf(models);
      if (!"http".equals(url.getScheme()) || url.getHost() == null) {
        throw new IllegalArgumentException("an engine's url must be http://host:port, was " + url);
      }
    }
  }

  /**
   * The bounds of the chat side.
   *
   * @param requestBody the largest request body in bytes
   * @param bufferedBytes request bodies in memory, all together; at most half of the heap is used
   * @param bodyPatience how long a body may take, besides a minimum rate
   * @param held how many requests may be held at once
   * @param writeStall how long a client may leave its answer unread before it is dropped
   */
  public record Limits(
      long requestBody, long bufferedBytes, Duration bodyPatience, int held, Duration writeStall) {

    private static final long MIB = 1024 * 1024;

    /** The figures of an empty configuration. */
    public static Limits standard() {
      return new Limits(32 * MIB, 256 * MIB, Duration.ofSeconds(30), 1000, Duration.ofSeconds(60));
    }
  }
}
