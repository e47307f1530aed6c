package dev.swapgate.backends.settings;

import java.util.List;

/** Everything the workshop is built from. */
public record WorkshopSettings(
    DockerSettings docker,
    CardSettings card,
    List<BackendSettings> engines,
    List<MediaSettings> media) {
  public WorkshopSettings {
    engines = List.copyOf(engines);
    media = List.copyOf(media);
  }
}
