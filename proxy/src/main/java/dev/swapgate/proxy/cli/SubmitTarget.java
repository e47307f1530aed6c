package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * To whom a submission goes, and with what: a backend and files, a named workflow and its inputs,
 * or a workflow's file alone.
 *
 * @param sets values besides those of {@code --set}
 * @param images what is left of {@code --image}, with the files of inputs
 */
record SubmitTarget(ObjectNode body, List<String> sets, List<String> images) {

  /** Names have no dot, files mostly have one. */
  private static final String NAME = "[a-z0-9][a-z0-9_-]*";

  static SubmitTarget of(
      Session session, String first, List<String> files, List<String> inputs, List<String> images) {
    if (files.isEmpty() && first.matches(NAME)) {
      JsonNode workflow = NamedInputs.find(session.admin(), first);
      NamedInputs named = new NamedInputs(workflow, inputs, images);
      ObjectNode body = Json.object();
      body.put("backend", Json.text(workflow, "backend"));
      body.put("workflow_name", first);
      return new SubmitTarget(body, named.sets(), named.files());
    }
    if (!inputs.isEmpty()) {
      String name = inputs.getFirst().split("=", 2)[0];
      throw new CliException(
          ExitCode.REFUSED,
          "there is no option --"
              + name
              + ": only a named workflow has inputs, and a file is given; write --set KEY=VALUE");
    }
    List<String> all = files.isEmpty() ? List.of(first) : files;
    List<ObjectNode> read =
        all.stream().map(file -> RequestFile.read(session.terminal(), file)).toList();
    boolean workflows = RequestFile.isWorkflow(read.getFirst());
    if (read.stream().anyMatch(one -> RequestFile.isWorkflow(one) != workflows)) {
      throw new CliException(
          ExitCode.REFUSED, "some of the files are ComfyUI workflows and some are not");
    }
    if (files.isEmpty() && !workflows) {
      throw new CliException(
          ExitCode.REFUSED,
          "whose request is " + first + "? write swapgate submit BACKEND " + first);
    }
    ObjectNode body = Json.object();
    body.put(
        "backend", files.isEmpty() ? NamedInputs.onlyGraphTaker(session.admin(), first) : first);
    if (read.size() == 1) {
      body.set(workflows ? "workflow" : "request", read.getFirst());
    } else {
      read.forEach(body.putArray(workflows ? "workflows" : "requests")::add);
    }
    return new SubmitTarget(body, List.of(), images);
  }
}
