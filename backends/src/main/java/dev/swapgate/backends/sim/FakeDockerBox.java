package dev.swapgate.backends.sim;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** All containers of one fake daemon. Thread-safe. */
final class FakeDockerBox {
  private static final String NAME = "[a-zA-Z0-9][a-zA-Z0-9_.-]+";

  private final DockerFaults faults;
  private final FakeDockerEvents events;
  private final Map<String, FakeDockerContainer> byName = new LinkedHashMap<>();
  private final Map<String, List<String>> entrypoints;

  /**
   * @param entrypoints what containers of an image run, before their own command
   */
  FakeDockerBox(DockerFaults faults, Map<String, List<String>> entrypoints) {
    this.faults = faults;
    this.events = new FakeDockerEvents(faults);
    this.entrypoints = Map.copyOf(entrypoints);
  }

  DockerFaults faults() {
    return faults;
  }

  FakeDockerEvents events() {
    return events;
  }

  FakeDockerAnswer create(String wantedName, String body) {
    try {
      return create(wantedName, FakeDockerBody.object(body));
    } catch (Json.Malformed broken) {
      return FakeDockerAnswer.error(400, String.valueOf(broken.getMessage()));
    }
  }

  synchronized FakeDockerAnswer create(String wantedName, Map<String, Object> body) {
    String id = id();
    String name = wantedName.isEmpty() ? "fake_" + id.substring(0, 8) : wantedName;
    if (!name.matches(NAME)) {
      return FakeDockerAnswer.error(
          400, "Invalid container name (" + name + "), only " + NAME + " are allowed");
    }
    FakeDockerContainer other = byName.get(name);
    if (other != null) {
      return FakeDockerAnswer.error(
          409,
          "Conflict. The container name \"/%s\" is already in use by container \"%s\"."
              .formatted(name, other.id));
    }
    FakeDockerSpec spec = FakeDockerSpec.of(body, entrypoints);
    if (spec.command().isEmpty()) {
      return FakeDockerAnswer.error(400, "No command specified");
    }
    byName.put(name, new FakeDockerContainer(id, name, spec, events, c -> remove(c, true)));
    return FakeDockerAnswer.json(201, Map.of("Id", id, "Warnings", List.of()));
  }

  private static String id() {
    HexFormat hex = HexFormat.of();
    StringBuilder id = new StringBuilder();
    while (id.length() < 64) {
      id.append(hex.toHexDigits(UUID.randomUUID().getLeastSignificantBits()));
    }
    return id.toString();
  }

  /** By its name, its id, or the beginning of its id, as Docker does. */
  synchronized Optional<FakeDockerContainer> find(String nameOrId) {
    FakeDockerContainer named = byName.get(nameOrId);
    if (named != null) {
      return Optional.of(named);
    }
    return byName.values().stream().filter(one -> one.id.startsWith(nameOrId)).findFirst();
  }

  synchronized List<Map<String, Object>> list(boolean all) {
    List<Map<String, Object>> list = new ArrayList<>();
    for (FakeDockerContainer container : byName.values()) {
      if (all || container.isRunning()) {
        list.add(container.listed());
      }
    }
    return list;
  }

  FakeDockerAnswer remove(FakeDockerContainer container, boolean force) {
    if (container.isRunning() && !force) {
      return FakeDockerAnswer.error(
          409, "You cannot remove a running container " + container.id + ". Stop the container");
    }
    container.destroy();
    synchronized (this) {
      byName.remove(container.name);
    }
    container.publish("destroy", Map.of());
    return FakeDockerAnswer.DONE;
  }

  /** Ends every process and every stream of events. */
  void end() {
    List<FakeDockerContainer> all;
    synchronized (this) {
      all = List.copyOf(byName.values());
    }
    all.forEach(FakeDockerContainer::destroy);
    events.end();
  }
}
