package dev.swapgate.backends.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.swapgate.backends.media.Json;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the messages of ComfyUI's WebSocket say about a graph of four nodes. */
class ComfyProgressTest {
  private static final Set<String> NODES = Set.of("1", "2", "3", "4");

  private final ComfyProgress progress = new ComfyProgress();

  private void hear(String type, String data) {
    progress.hear("{\"type\":\"" + type + "\",\"data\":{\"prompt_id\":\"p\"," + data + "}}");
  }

  private void isAt(double fraction) {
    assertThat(progress.of("p", NODES)).isEqualTo(fraction, within(1e-9));
  }

  @Test
  void nodesThatRanAndThePartOfTheOneThatRunsCount() {
    isAt(0);
    hear("executing", "\"node\":\"1\"");
    isAt(0);
    hear("executing", "\"node\":\"2\"");
    isAt(0.25);
    hear("progress", "\"value\":5,\"max\":20,\"node\":\"2\"");
    isAt(0.25 + 0.25 * 0.25);
    hear("progress", "\"value\":20,\"max\":20,\"node\":\"2\"");
    hear("executed", "\"node\":\"2\",\"output\":{}");
    isAt(0.5);
  }

  @Test
  void cachedNodesAreDone() {
    hear("execution_cached", "\"nodes\":[\"1\",\"2\",\"3\",\"gone\"]");
    isAt(0.75);
    hear("executing", "\"node\":\"4\"");
    hear("progress", "\"value\":1,\"max\":2,\"node\":\"4\"");
    isAt(0.875);
    hear("executing", "\"node\":null");
    isAt(1);
  }

  @Test
  void aNewerServerTellsAllNodesAtOnceToWhoeverComesLate() {
    hear(
        "progress_state",
        "\"nodes\":{\"1\":{\"state\":\"finished\",\"value\":1,\"max\":1},"
            + "\"2\":{\"state\":\"running\",\"value\":1,\"max\":4},"
            + "\"3\":{\"state\":\"pending\",\"value\":0,\"max\":1}}");
    isAt(0.25 + 0.25 / 4);
  }

  @Test
  void nodesMadeAtRunTimeStandForTheOneThatMadeThem() {
    hear(
        "progress_state",
        "\"nodes\":{\"2\":{\"state\":\"running\",\"value\":0,\"max\":1},"
            + "\"2.0.a\":{\"state\":\"finished\",\"value\":1,\"max\":1,\"display_node_id\":\"2\"},"
            + "\"2.0.b\":{\"state\":\"running\",\"value\":1,\"max\":2,\"display_node_id\":\"2\"}}");
    isAt(0.25 * 0.75);
    hear("executing", "\"node\":\"2.0.c\",\"display_node\":\"2\"");
    hear("progress", "\"value\":1,\"max\":1,\"node\":\"2.0.c\"");
    isAt(0.25 * 2.5 / 3);
  }

  @Test
  void anotherPromptIsNotThisOne() {
    hear("execution_cached", "\"nodes\":[\"1\",\"2\"]");
    progress.hear(
        "{\"type\":\"progress\",\"data\":{\"prompt_id\":\"q\",\"node\":\"1\",\"value\":1,\"max\":2}}");
    isAt(0);
    hear("executing", "\"node\":\"1\"");
    isAt(0);
  }

  @Test
  void whatMakesNoSenseIsPassedOver() {
    hear("execution_cached", "\"nodes\":[\"1\"]");
    for (String data :
        new String[] {
          "\"value\":-1,\"max\":10,\"node\":\"2\"",
          "\"value\":11,\"max\":10,\"node\":\"2\"",
          "\"value\":1,\"max\":0,\"node\":\"2\"",
          "\"value\":\"x\",\"max\":{},\"node\":\"2\"",
          "\"value\":1e400,\"max\":1e400,\"node\":\"2\"",
          "\"nodes\":7"
        }) {
      hear("progress", data);
      hear("progress_state", data);
      hear("execution_cached", data);
      isAt(0.25);
    }
    for (String text : new String[] {"", "7", "[]", "{", "{\"type\":[]}", "[".repeat(100_000)}) {
      progress.hear(text);
    }
    isAt(0.25);
    assertThat(progress.of("p", Set.of())).isZero();
  }

  @Test
  void whatAServerNamesHasALimit() {
    for (int i = 0; i < 30_000; i++) {
      hear("executed", "\"node\":\"x" + i + "\"");
    }
    hear("executed", "\"node\":\"1\"");
    isAt(0);
  }

  @Test
  void onlyWhatTheOutputsNeedIsToRun() {
    ComfyTicket ticket = new ComfyTicket("p", "c", java.util.Optional.of("p"));
    String queue =
        """
        {"queue_running": [[1, "p", {"1": {"inputs": {}}, "2": {"inputs": {"a": ["1", 0], "b": 5}},
          "3": {"inputs": {"a": ["2", 0], "loop": ["3", 0]}}, "4": {"inputs": {}}}, {}, ["3"]]],
         "queue_pending": []}
        """;
    assertThat(ComfyPlace.of(ticket, Json.maybe(queue).orElseThrow()))
        .hasValueSatisfying(
            place -> {
              assertThat(place.nodes()).containsExactlyInAnyOrder("1", "2", "3");
              assertThat(place.runs()).isTrue();
            });
  }
}
