package dev.swapgate.proxy.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.core.JobTerms;
import dev.swapgate.gate.core.Priority;
import dev.swapgate.gate.core.TimeWindow;
import dev.swapgate.proxy.http.HttpProblem;
import dev.swapgate.proxy.http.JsonBody;
import dev.swapgate.proxy.workflows.Workflows;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * What stands in the JSON of {@code POST jobs}.
 *
 * @param documents the workflows or requests, as they were sent; at least one
 * @param set values for all of them
 * @param sets each of them once with each of these values beside the others; empty: as it is
 * @param repeat each of that so often
 * @param when {@code idle}, or a moment as {@link DueTime} reads it
 */
record Submission(
    Backend.Id backend,
    List<String> documents,
    Map<String, String> set,
    List<Map<String, String>> sets,
    int repeat,
    Optional<String> when,
    Priority priority,
    Optional<TimeWindow> window,
    Optional<String> idempotencyKey) {

  private static final Set<String> FIELDS =
      Set.of(
          "backend",
          "workflow",
          "request",
          "workflows",
          "requests",
          "workflow_name",
          "set",
          "sets",
          "repeat",
          "when",
          "priority",
          "window",
          "idempotency_key");

  /** The ways to say what is to be done. */
  private static final List<String> DOCUMENTS =
      List.of("workflow", "request", "workflows", "requests", NamedWork.FIELD);

  /** Jobs that one submission may make. */
  static final int MOST = 1000;

  private static final String IDLE = "idle";

  /** A key is an index of the store's, so it has a size. */
  private static final int MAX_KEY = 200;

  static Submission parse(byte[] body, Optional<String> keyOfHeader, Workflows workflows) {
    JsonBody json = JsonBody.parse(body, FIELDS);
    List<String> given = DOCUMENTS.stream().filter(json::has).toList();
    if (given.size() != 1) {
      throw new HttpProblem(
          400,
          "missing_field",
          "send one of workflow and request, a JSON object, or of workflows and requests, a list of"
              + " them, or workflow_name");
    }
    Optional<String> key = json.optionalText("idempotency_key").or(() -> keyOfHeader);
    if (key.filter(text -> text.length() > MAX_KEY).isPresent()) {
      throw new HttpProblem(
          400, "bad_field", "idempotency_key must have at most " + MAX_KEY + " characters");
    }
    NamedWork work = NamedWork.of(json, given.getFirst(), workflows);
    return new Submission(
        work.backend(),
        work.document().map(List::of).orElseGet(() -> documents(json, given.getFirst())),
        work.addressed(json.object("set").map(Submission::values).orElse(Map.of())),
        json.objects("sets").stream().map(Submission::values).map(work::addressed).toList(),
        json.optionalNumber("repeat", 1, MOST).orElse(1),
        json.optionalText("when"),
        json.optionalText("priority").map(Submission::priority).orElse(Priority.NORMAL),
        json.optionalText("window").map(Submission::window),
        key);
  }

  private static Priority priority(String word) {
    return Priority.of(word)
        .orElseThrow(
            () ->
                new HttpProblem(
                    400, "bad_field", "priority must be high, normal or low; was " + word));
  }

  private static TimeWindow window(String text) {
    return TimeWindow.parse(text, ZoneId.systemDefault())
        .orElseThrow(
            () ->
                new HttpProblem(
                    400,
                    "bad_field",
                    "window must be hours of the day such as 01:00-06:30, with a time zone behind"
                        + " it where the box's own is not meant (01:00-06:30 Europe/Berlin); was "
                        + text));
  }

  /** When it is due, where a moment was named. */
  Optional<String> moment() {
    return when.filter(text -> !text.equals(IDLE));
  }

  JobTerms terms() {
    return new JobTerms(priority, when.filter(IDLE::equals).isPresent(), window, Optional.empty());
  }

  private static List<String> documents(JsonBody json, String field) {
    List<ObjectNode> found =
        field.endsWith("s")
            ? json.objects(field)
            : json.object(field).map(List::of).orElse(List.of());
    if (found.isEmpty()) {
      throw new HttpProblem(400, "bad_field", field + " holds nothing to do");
    }
    return found.stream().map(ObjectNode::toString).toList();
  }

  /** How many jobs it makes. */
  long count() {
    return (long) documents.size() * Math.max(1, sets.size()) * repeat;
  }

  /**
   * One request for each job: for each document, for each of the values, its repeats, the first of
   * which is as it was sent.
   *
   * @param reseed what is to be set to make a repeat differ
   */
  List<JobRequest> requests(
      List<JobRequest.Attachment> attachments, Function<JobRequest, Map<String, String>> reseed) {
    List<JobRequest> requests = new ArrayList<>();
    for (String document : documents) {
      for (Map<String, String> own : sets.isEmpty() ? List.of(Map.<String, String>of()) : sets) {
        Map<String, String> values = new HashMap<>(set);
        values.putAll(own);
        JobRequest first = new JobRequest(document, values, attachments);
        requests.add(first);
        for (int n = 1; n < repeat; n++) {
          requests.add(repeated(first, reseed.apply(first)));
        }
      }
    }
    return requests;
  }

  /** A seed that was set by another name of its place gives way: which of two counts is open. */
  private static JobRequest repeated(JobRequest first, Map<String, String> seeds) {
    Map<String, String> values = new HashMap<>(first.set());
    if (!seeds.isEmpty()) {
      values.keySet().removeIf(name -> name.endsWith(".seed") || name.endsWith(".noise_seed"));
    }
    values.putAll(seeds);
    return new JobRequest(first.json(), values, first.attachments());
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
