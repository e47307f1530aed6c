package dev.swapgate.gate.core;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Everything that can own the one card, and the rules by which they take turns.
 *
 * @param selected the engine of the configuration file; a remembered selection may beat it
 */
public record Box(
    List<Engine> engines,
    List<Media> media,
    Backend.Id selected,
    Optional<Backend.Id> fallbackEngine,
    Optional<Backend.Id> batchEngine,
    Policy policy) {
  public Box {
    engines = List.copyOf(engines);
    media = List.copyOf(media);
    Set<Backend.Id> seen = new HashSet<>();
    Stream.concat(engines.stream(), media.stream())
        .forEach(
            backend -> {
              if (!seen.add(backend.id())) {
                throw new IllegalArgumentException("two backends named " + backend.id());
              }
            });
  }

  /** All backends, engines first, in the order of the file. */
  public List<Backend> backends() {
    return Stream.<Backend>concat(engines.stream(), media.stream()).toList();
  }

  /** The backend of that name; throws {@link IllegalArgumentException} when there is none. */
  public Backend backend(Backend.Id id) {
    return backends().stream()
        .filter(backend -> backend.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no backend is named " + id));
  }

  public Optional<Engine> engine(Backend.Id id) {
    return engines.stream().filter(engine -> engine.id().equals(id)).findFirst();
  }

  public Optional<Media> media(Backend.Id id) {
    return media.stream().filter(one -> one.id().equals(id)).findFirst();
  }
}
