package dev.swapgate.proxy.jobs;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.proxy.http.HttpProblem;
import dev.swapgate.proxy.http.JsonBody;
import dev.swapgate.proxy.workflows.Workflow;
import dev.swapgate.proxy.workflows.WorkflowException;
import dev.swapgate.proxy.workflows.Workflows;
import java.util.Map;
import java.util.Optional;

/**
 * To whom a submission goes, and what its names mean.
 *
 * @param named empty when it brings what is to be done along
 */
record NamedWork(Backend.Id backend, Optional<Workflow> named) {

  static final String FIELD = "workflow_name";

  /**
   * @param given how the submission says what is to be done
   */
  static NamedWork of(JsonBody json, String given, Workflows workflows) {
    if (!given.equals(FIELD)) {
      return new NamedWork(new Backend.Id(json.text("backend")), Optional.empty());
    }
    String name = json.text(FIELD);
    Workflow named =
        workflows
            .find(name)
            .orElseThrow(
                () ->
                    new HttpProblem(
                        400,
                        "unknown_workflow",
                        "no workflow is named " + name + "; " + workflows.names()));
    Optional<String> backend = json.optionalText("backend");
    if (backend.isPresent() && !backend.get().equals(named.backend().value())) {
      throw new HttpProblem(
          400,
          "bad_field",
          "workflow " + name + " is one of " + named.backend() + ", not of " + backend.get());
    }
    return new NamedWork(named.backend(), Optional.of(named));
  }

  Optional<String> document() {
    return named.map(Workflow::json);
  }

  /**
   * The values by their places in the document.
   *
   * @throws HttpProblem 400 for a name that is no input's and no place
   */
  Map<String, String> addressed(Map<String, String> values) {
    if (named.isEmpty()) {
      return values;
    }
    Workflow workflow = named.get();
    try {
      return workflow.addressed(values);
    } catch (WorkflowException e) {
      throw new HttpProblem(400, "unknown_input", String.valueOf(e.getMessage()));
    }
  }
}
