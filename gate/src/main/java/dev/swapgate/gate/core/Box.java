package dev.swapgate.gate.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Everything that can own the one card, and the rules by which they take turns. Immutable. */
public final class Box {

  private final List<Engine> engines;
  private final List<Media> media;
  private final List<Backend> backends;
  private final Map<Backend.Id, Backend> byId = new LinkedHashMap<>();
  private final Backend.Id selected;
  private final Optional<Backend.Id> fallbackEngine;
  private final Optional<Backend.Id> batchEngine;
  private final Policy policy;

  /**
   * Throws {@link IllegalArgumentException} when two backends share a name.
   *
   * @param selected the engine of the configuration file; a remembered selection may beat it
   */
  public Box(
      List<Engine> engines,
      List<Media> media,
      Backend.Id selected,
      Optional<Backend.Id> fallbackEngine,
      Optional<Backend.Id> batchEngine,
      Policy policy) {
    this.engines = List.copyOf(engines);
    this.media = List.copyOf(media);
    this.selected = selected;
    this.fallbackEngine = fallbackEngine;
    this.batchEngine = batchEngine;
    this.policy = policy;
    List<Backend> all = new ArrayList<>(engines);
    all.addAll(media);
    this.backends = List.copyOf(all);
    for (Backend backend : backends) {
      if (byId.put(backend.id(), backend) != null) {
        throw new IllegalArgumentException("two backends named " + backend.id());
      }
    }
  }

  public List<Engine> engines() {
    return engines;
  }

  public List<Media> media() {
    return media;
  }

  /** All backends, engines first, in the order of the file. */
  public List<Backend> backends() {
    return backends;
  }

  public Backend.Id selected() {
    return selected;
  }

  public Optional<Backend.Id> fallbackEngine() {
    return fallbackEngine;
  }

  public Optional<Backend.Id> batchEngine() {
    return batchEngine;
  }

  public Policy policy() {
    return policy;
  }

  /** The backend of that name; throws {@link IllegalArgumentException} when there is none. */
  public Backend backend(Backend.Id id) {
    Backend found = byId.get(id);
    if (found == null) {
      throw new IllegalArgumentException("no backend is named " + id);
    }
    return found;
  }

  public Optional<Engine> engine(Backend.Id id) {
    return byId.get(id) instanceof Engine engine ? Optional.of(engine) : Optional.empty();
  }

  public Optional<Media> media(Backend.Id id) {
    return byId.get(id) instanceof Media one ? Optional.of(one) : Optional.empty();
  }

  /** Whether the same backends live in the same containers: then only rules and budgets differ. */
  public boolean hasContainersOf(Box other) {
    return homes().equals(other.homes());
  }

  private Map<Backend.Id, List<Object>> homes() {
    Map<Backend.Id, List<Object>> homes = new HashMap<>();
    for (Backend backend : backends) {
      homes.put(
          backend.id(),
          List.of(backend.container(), backend instanceof Engine, runsToExit(backend.id())));
    }
    return homes;
  }

  /** Whether it is a container that is itself the job. */
  public boolean runsToExit(Backend.Id id) {
    return media(id).filter(Media::runsToExit).isPresent();
  }
}
