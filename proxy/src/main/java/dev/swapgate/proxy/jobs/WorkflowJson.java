package dev.swapgate.proxy.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.proxy.http.Answer;
import dev.swapgate.proxy.workflows.Workflow;
import dev.swapgate.proxy.workflows.Workflows;
import java.util.List;
import java.util.Locale;

/**
 * A named workflow on the wire.
 *
 * @param type of its backend
 * @param makes {@code image music other}
 */
record WorkflowJson(String name, String backend, String type, String makes, List<Input> inputs) {

  /**
   * One value that may be given.
   *
   * @param kind {@code text number flag file}
   * @param at where it stands in the workflow
   * @param value what stands there when none is given
   */
  record Input(String name, String kind, String at, JsonNode value) {
    static Input of(Workflow.Input input) {
      return new Input(
          input.name(), input.kind().name().toLowerCase(Locale.ROOT), input.at(), input.standard());
    }
  }

  /** A media backend that takes workflows and requests without a name. */
  record Taker(String name, String type) {}

  /** The answer of {@code GET workflows}: all that can be submitted. */
  record Many(List<WorkflowJson> workflows, List<Taker> backends) {}

  static Answer answer(Workflows workflows) {
    return Answer.json(
        200,
        new Many(
            workflows.all().stream()
                .map(
                    one ->
                        new WorkflowJson(
                            one.name(),
                            one.backend().value(),
                            workflows.types().getOrDefault(one.backend(), ""),
                            one.makes(),
                            one.inputs().stream().map(Input::of).toList()))
                .toList(),
            workflows.types().entrySet().stream()
                .map(one -> new Taker(one.getKey().value(), one.getValue()))
                .toList()));
  }
}
