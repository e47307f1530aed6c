package dev.swapgate.proxy.workflows;

import dev.swapgate.gate.core.Backend;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * All that can be submitted on this box.
 *
 * @param all the named workflows, in the order of the file
 * @param types of each media backend, its type as the configuration calls it
 */
public record Workflows(List<Workflow> all, Map<Backend.Id, String> types) {

  public static final Workflows NONE = new Workflows(List.of(), Map.of());

  public Workflows {
    all = List.copyOf(all);
    types = new TreeMap<>(types);
  }

  public Optional<Workflow> find(String name) {
    return all.stream().filter(one -> one.name().equals(name)).findFirst();
  }

  /** For a message: all names. */
  public String names() {
    return all.isEmpty()
        ? "this box has none; name them under workflows in swapgate.yaml"
        : "there are: " + all.stream().map(Workflow::name).collect(Collectors.joining(", "));
  }
}
