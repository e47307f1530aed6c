package dev.swapgate.proxy.workflows;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.gate.core.Backend;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A workflow or request with a name, of which some values may be given.
 *
 * @param file where it was read
 * @param graph a graph of ComfyUI's, whose places have a dot in them
 * @param makes {@code image}, {@code music} or {@code other}: for those who ask for one of them
 * @param json as it is sent to the backend when none is given
 */
public record Workflow(
    String name,
    Backend.Id backend,
    Path file,
    boolean graph,
    String makes,
    String json,
    List<Input> inputs) {

  public Workflow {
    inputs = List.copyOf(inputs);
  }

  /**
   * One value that may be given.
   *
   * @param at where it stands, in the backend's own addressing ({@code 6.text})
   * @param standard what stands there when none is given
   */
  public record Input(String name, String at, Kind kind, JsonNode standard) {}

  /** What a value is. */
  public enum Kind {
    TEXT,
    NUMBER,
    /** True or false. */
    FLAG,
    /** The name of a file that goes along with the job. */
    FILE;

    static Kind of(JsonNode value) {
      return value.isNumber() ? NUMBER : value.isBoolean() ? FLAG : TEXT;
    }
  }

  public Optional<Input> input(String name) {
    return inputs.stream().filter(input -> input.name().equals(name)).findFirst();
  }

  /** For a message: all that may be given. */
  public String inputNames() {
    return inputs.isEmpty()
        ? "it has none"
        : "it has: " + inputs.stream().map(Input::name).collect(Collectors.joining(", "));
  }

  /**
   * The values by their places; what is no input's name is a place already.
   *
   * @throws WorkflowException for a name that is no input's and leads nowhere
   */
  public Map<String, String> addressed(Map<String, String> values) {
    Map<String, String> addressed = new HashMap<>();
    values.forEach((key, value) -> addressed.put(place(key), value));
    return addressed;
  }

  private String place(String key) {
    Optional<Input> input = input(key);
    if (input.isEmpty() && graph && key.indexOf('.') < 0) {
      throw new WorkflowException(name + " has no input " + key + "; " + inputNames());
    }
    return input.map(Input::at).orElse(key);
  }
}
