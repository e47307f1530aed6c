package dev.swapgate.gate.core;

import java.util.Locale;

/** What the gate is doing, for people, logs and clients. */
public enum Phase {
  BOOTING,
  SERVING,
  DRAINING,
  STOPPING_ENGINE,
  FREEING,
  STARTING_MEDIA,
  RUNNING,
  STOPPING_MEDIA,
  RESTORING,
  DEGRADED,
  MAINTENANCE;

  /** The word in JSON, metrics and logs: {@code stopping_engine}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
