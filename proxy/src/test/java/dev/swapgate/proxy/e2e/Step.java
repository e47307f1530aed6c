package dev.swapgate.proxy.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.function.Predicate;

/** The steps of a swap, in their order, and how each is made long enough to be hit. */
enum Step {
  SERVING(Place.VLLM, status -> status.path("chat_open").asBoolean()),
  DRAINING(Place.VLLM, Step.in("draining")),
  STOPPING_ENGINE(Place.VLLM, Step.in("stopping_engine")),
  /** No container runs; the next one is ComfyUI's. */
  WAITING_FOR_THE_CARD(Place.COMFYUI, Step.in("freeing")),
  STARTING_MEDIA(Place.COMFYUI, Step.in("starting_media")),
  MEDIA_READINESS(Place.COMFYUI, Step.in("starting_media").and(Step.comesUp("media"))),
  JOB_RUNNING(Place.COMFYUI, Step.in("running")),
  STOPPING_MEDIA(Place.COMFYUI, Step.in("stopping_media")),
  STARTING_ENGINE(Place.VLLM, Step.in("restoring")),
  PROBING_ENGINE(Place.VLLM, Step.in("restoring").and(Step.comesUp("engines")));

  /** Whose container this step is about. */
  final Place place;

  private final Predicate<JsonNode> isAt;

  Step(Place place, Predicate<JsonNode> isAt) {
    this.place = place;
    this.isAt = isAt;
  }

  private static Predicate<JsonNode> in(String phase) {
    return status -> status.path("phase").asText().equals(phase);
  }

  /** Runs and is not ready. */
  private static Predicate<JsonNode> comesUp(String kind) {
    return status ->
        status.path(kind).path(0).path("state").asText().equals("starting")
            && status.path("reason").asText().startsWith("waiting until");
  }

  boolean isAt(JsonNode status) {
    return isAt.test(status);
  }

  boolean isBefore(Step other) {
    return compareTo(other) < 0;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
