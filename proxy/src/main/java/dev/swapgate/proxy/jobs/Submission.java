package dev.swapgate.proxy.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.proxy.http.HttpProblem;
import dev.swapgate.proxy.http.JsonBody;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What stands in the JSON of {@code POST jobs}.
 *
 * @param json the workflow or request, as it was sent
 */
record Submission(
    Backend.Id backend,
    String json,
    Map<String, String> set,
    Optional<String> when,
    Optional<String> idempotencyKey) {

  private static final Set<String> FIELDS =
      Set.of("backend", "workflow", "request", "set", "when", "idempotency_key");

  /** A key is an index of the store's, so it has a size. */
  private static final int MAX_KEY = 200;

  static Submission parse(byte[] body, Optional<String> keyOfHeader) {
    JsonBody json = JsonBody.parse(body, FIELDS);
    Optional<ObjectNode> workflow = json.object("workflow");
    Optional<ObjectNode> request = json.object("request");
    if (workflow.isPresent() == request.isPresent()) {
      throw new HttpProblem(
          400, "missing_field", "send either workflow or request, and not both; a JSON object");
    }
    Optional<String> key = json.optionalText("idempotency_key").or(() -> keyOfHeader);
    if (key.filter(text -> text.length() > MAX_KEY).isPresent()) {
      throw new HttpProblem(
          400, "bad_field", "idempotency_key must have at most " + MAX_KEY + " characters");
    }
    return new Submission(
        new Backend.Id(json.text("backend")),
        workflow.or(() -> request).orElseThrow().toString(),
        json.object("set").map(Submission::values).orElse(Map.of()),
        json.optionalText("when"),
        key);
  }

  JobRequest request(List<JobRequest.Attachment> attachments) {
    return new JobRequest(json, set, attachments);
  }

  /** Numbers and truths are taken as the texts they were sent as. */
  private static Map<String, String> values(ObjectNode set) {
    Map<String, String> values = new HashMap<>();
    for (Map.Entry<String, JsonNode> entry : set.properties()) {
      JsonNode value = entry.getValue();
      values.put(entry.getKey(), value.isTextual() ? value.textValue() : value.toString());
    }
    return values;
  }
}
