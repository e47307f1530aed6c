package dev.swapgate.proxy.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the YAML file of another program: one document, without anchors, aliases and tags. */
public final class ForeignYaml {

  private ForeignYaml() {}

  /** A value of it; a missing one is absent from its map. */
  public sealed interface Value {}

  public record Text(String text) implements Value {}

  public record Items(List<Value> items) implements Value {}

  public record Fields(Map<String, Value> fields) implements Value {

    public Optional<String> text(String key) {
      return fields.get(key) instanceof Text found ? Optional.of(found.text()) : Optional.empty();
    }

    /** The map at a key; an empty one when there is none. */
    public Fields map(String key) {
      return fields.get(key) instanceof Fields found ? found : new Fields(Map.of());
    }
  }

  /**
   * @param name how problems name it
   * @throws ConfigException with everything in it that cannot be read
   */
  public static Fields read(String name, String text) {
    Problems problems = new Problems(name);
    Optional<Node.Mapping> top = YamlDocument.read(text, problems);
    problems.throwIfAny();
    return fields(top.orElseThrow());
  }

  private static Fields fields(Node.Mapping mapping) {
    Map<String, Value> fields = new LinkedHashMap<>();
    mapping
        .entries()
        .forEach((key, entry) -> value(entry.value()).ifPresent(v -> fields.put(key, v)));
    return new Fields(fields);
  }

  private static Optional<Value> value(Node node) {
    return switch (node) {
      case Node.Refused refused -> Optional.empty();
      case Node.Scalar scalar ->
          scalar.isMissing() ? Optional.empty() : Optional.of(new Text(scalar.text()));
      case Node.Sequence list -> {
        List<Value> items = new ArrayList<>();
        list.items().forEach(item -> value(item).ifPresent(items::add));
        yield Optional.of(new Items(items));
      }
      case Node.Mapping map -> Optional.of(fields(map));
    };
  }
}
