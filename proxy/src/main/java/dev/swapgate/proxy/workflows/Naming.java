package dev.swapgate.proxy.workflows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.swapgate.gate.core.Backend;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** Makes a named workflow of a document and of what the owner of the box says of it. */
public final class Naming {

  private Naming() {}

  /**
   * @param known what a described backend takes; not asked for a graph
   * @param inputs names and places
   * @param problem told of each input that is nowhere: its name, and why
   * @throws WorkflowException when the document is none that this backend could run
   */
  public static Workflow named(
      String name,
      Backend.Id backend,
      Path file,
      boolean takesGraphs,
      String makes,
      ObjectNode document,
      Map<String, JsonNode> known,
      Map<String, String> inputs,
      BiConsumer<String, String> problem) {
    List<Workflow.Input> found = new ArrayList<>();
    Places places = takesGraphs ? graph(document)::input : new Template(document, known)::input;
    inputs.forEach(
        (input, at) -> {
          try {
            found.add(places.input(input, at));
          } catch (WorkflowException nowhere) {
            problem.accept(input, String.valueOf(nowhere.getMessage()));
          }
        });
    return new Workflow(name, backend, file, takesGraphs, makes, document.toString(), found);
  }

  private static Graph graph(ObjectNode document) {
    return Graph.in(document)
        .orElseThrow(
            () ->
                new WorkflowException(
                    "is no ComfyUI workflow; in ComfyUI choose Workflow → Export (API)"));
  }

  private interface Places {
    Workflow.Input input(String name, String at);
  }
}
