package dev.swapgate.backends.sim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Decides what of a posted graph can run, and spells what can't as the real server does. */
final class ComfyValidation {
  private final ComfyGraph graph;
  private final List<String> checkpoints;
  private final Predicate<String> uploaded;
  private final boolean old;
  private final Map<String, @Nullable Object> nodeErrors = new LinkedHashMap<>();
  private final List<String> goodOutputs = new ArrayList<>();

  ComfyValidation(
      ComfyGraph graph, List<String> checkpoints, Predicate<String> uploaded, boolean old) {
    this.graph = graph;
    this.checkpoints = checkpoints;
    this.uploaded = uploaded;
    this.old = old;
  }

  /** Checks the graph; empty when at least one output can run. */
  Optional<Map<String, @Nullable Object>> refusal(Map<String, @Nullable Object> posted) {
    for (Map.Entry<String, @Nullable Object> entry : posted.entrySet()) {
      if (!(entry.getValue() instanceof Map<?, ?>)) {
        throw new IllegalArgumentException("argument of type 'int' is not iterable");
      }
      Map<String, @Nullable Object> node = Json.asObject(entry.getValue());
      String type = Json.asText(node.get("class_type"), "");
      if (ComfyNodes.type(type).isEmpty()) {
        return Optional.of(missingType(entry.getKey(), node, type));
      }
    }
    List<String> outputs =
        graph.nodes().values().stream()
            .filter(node -> ComfyNodes.type(node.type()).orElseThrow().isOutput())
            .map(ComfyGraph.Node::id)
            .toList();
    if (outputs.isEmpty()) {
      return Optional.of(error("prompt_no_outputs", "Prompt has no outputs", "", Json.object()));
    }
    outputs.stream().filter(this::outputIsGood).forEach(goodOutputs::add);
    return goodOutputs.isEmpty()
        ? Optional.of(
            error(
                "prompt_outputs_failed_validation",
                "Prompt outputs failed validation",
                "",
                Json.object()))
        : Optional.empty();
  }

  List<String> goodOutputs() {
    return goodOutputs;
  }

  Map<String, @Nullable Object> nodeErrors() {
    return nodeErrors;
  }

  private Map<String, @Nullable Object> missingType(
      String id, Map<String, @Nullable Object> node, String type) {
    String title = Json.asText(Json.asObject(node.get("_meta")).get("title"), type);
    String message =
        type.isEmpty()
            ? "Cannot execute because a node is missing the class_type property."
            : "Cannot execute because node " + type + " does not exist.";
    return error(
        old ? "invalid_prompt" : "missing_node_type",
        message,
        "Node ID '#" + id + "'",
        old
            ? Json.object()
            : Json.object(
                "node_id", id, "class_type", type.isEmpty() ? null : type, "node_title", title));
  }

  private Map<String, @Nullable Object> error(
      String type, String message, String details, Map<String, @Nullable Object> extra) {
    return Json.object(
        "error",
        Json.object("type", type, "message", message, "details", details, "extra_info", extra),
        "node_errors",
        nodeErrors);
  }

  private boolean outputIsGood(String output) {
    if (graph.hasCycle(output)) {
      report(output, output, List.of(problem("dependency_cycle", "Dependency cycle", output, "")));
      return false;
    }
    boolean good = true;
    for (ComfyGraph.Node node : graph.needed(output)) {
      List<Map<String, @Nullable Object>> problems = problems(node);
      if (!problems.isEmpty()) {
        report(node.id(), output, problems);
        good = false;
      }
    }
    return good;
  }

  private void report(String id, String output, List<Map<String, @Nullable Object>> problems) {
    Map<String, @Nullable Object> known = Json.asObject(nodeErrors.get(id));
    if (!known.isEmpty()) {
      List<@Nullable Object> dependents = Json.asList(known.get("dependent_outputs"));
      dependents.add(output);
      return;
    }
    ComfyGraph.Node node = graph.nodes().get(id);
    nodeErrors.put(
        id,
        Json.object(
            "errors",
            problems,
            "dependent_outputs",
            new ArrayList<@Nullable Object>(List.of(output)),
            "class_type",
            node == null ? "" : node.type()));
  }

  private List<Map<String, @Nullable Object>> problems(ComfyGraph.Node node) {
    List<Map<String, @Nullable Object>> problems = new ArrayList<>();
    for (ComfyNodes.Input input : ComfyNodes.type(node.type()).orElseThrow().inputs()) {
      Object value = node.inputs().get(input.name());
      if (value == null) {
        if (input.required()) {
          problems.add(
              problem("required_input_missing", "Required input is missing", input.name(), ""));
        }
      } else if (value instanceof List<?>) {
        linkProblem(input, value).ifPresent(problems::add);
      } else {
        valueProblem(input, value).ifPresent(problems::add);
      }
    }
    return problems;
  }

  private Optional<Map<String, @Nullable Object>> linkProblem(
      ComfyNodes.Input input, Object value) {
    Optional<ComfyGraph.Link> link = ComfyGraph.Link.of(value);
    if (link.isEmpty()) {
      return Optional.of(
          problem(
              "bad_linked_input",
              "Bad linked input, must be a length-2 list of [node_id, slot_index]",
              input.name(),
              value));
    }
    ComfyGraph.Node source = graph.node(link.get().node());
    if (source == null) {
      return Optional.of(
          problem(
              "exception_during_validation",
              "Exception when validating node",
              "'" + link.get().node() + "'",
              value));
    }
    List<String> outputs = ComfyNodes.type(source.type()).orElseThrow().outputs();
    int slot = link.get().slot();
    String given = slot >= 0 && slot < outputs.size() ? outputs.get(slot) : "nothing";
    return given.equals(input.type()) || !input.isLink()
        ? Optional.empty()
        : Optional.of(
            problem(
                "return_type_mismatch",
                "Return type mismatch between linked nodes",
                input.name()
                    + ", received_type("
                    + given
                    + ") mismatch input_type("
                    + input.type()
                    + ")",
                value));
  }

  private Optional<Map<String, @Nullable Object>> valueProblem(
      ComfyNodes.Input input, Object value) {
    String details = input.name() + ": '" + value + "'";
    return switch (input.type()) {
      case "INT", "FLOAT" -> {
        if (!(value instanceof Number number)) {
          yield Optional.of(
              problem("invalid_input_type", "Failed to convert an input value", details, value));
        }
        boolean tooSmall = number.longValue() < input.min();
        yield input.allows(number)
            ? Optional.empty()
            : Optional.of(
                problem(
                    tooSmall ? "value_smaller_than_min" : "value_bigger_than_max",
                    tooSmall
                        ? "Value " + value + " smaller than min of " + input.min()
                        : "Value " + value + " bigger than max of " + input.max(),
                    input.name(),
                    value));
      }
      case "CKPT" ->
          checkpoints.contains(value.toString())
              ? Optional.empty()
              : Optional.of(
                  problem(
                      "value_not_in_list",
                      "Value not in list",
                      details + " not in " + checkpoints,
                      value));
      case "UPLOAD" ->
          uploaded.test(value.toString())
              ? Optional.empty()
              : Optional.of(
                  problem(
                      "custom_validation_failed",
                      "Custom validation failed for node",
                      input.name() + " - Invalid image file: " + value,
                      value));
      default ->
          input.isLink()
              ? Optional.of(problem("bad_linked_input", "Bad linked input", details, value))
              : Optional.empty();
    };
  }

  private static Map<String, @Nullable Object> problem(
      String type, String message, String details, @Nullable Object received) {
    return Json.object(
        "type", type,
        "message", message,
        "details", details,
        "extra_info", Json.object("received_value", received));
  }
}
