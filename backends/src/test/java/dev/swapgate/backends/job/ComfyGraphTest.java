package dev.swapgate.backends.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.gate.core.JobRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What is made of a workflow before any server hears of it. */
class ComfyGraphTest {
  static final String GRAPH =
      """
      {"3": {"class_type": "KSampler", "inputs": {"seed": 7, "steps": 20, "cfg": 8,
             "positive": ["6", 0]}},
       "6": {"class_type": "CLIPTextEncode", "inputs": {"text": "a cat", "clip": ["4", 1]},
             "_meta": {"title": "Positive"}},
       "10": {"class_type": "LoadImage", "inputs": {"image": "in.png", "upload": "image"}},
       "9": {"class_type": "SaveImage", "inputs": {"images": ["3", 0], "tiled": false}}}
      """;

  private final ComfyUiAdapter adapter =
      new ComfyUiAdapter(ScriptedServer.settings(MediaSettings.Type.COMFYUI, 1, 1));

  private Optional<String> refusal(String json) {
    return adapter.refusal(new JobRequest(json, Map.of(), List.of()));
  }

  private static ComfyGraph graph(String json, Map<String, String> set) {
    return ComfyGraph.of(new JobRequest(json, set, List.of()));
  }

  private static String value(String address, String value, String node, String input) {
    return graph(GRAPH, Map.of(address, value))
        .nodes()
        .path(node)
        .path("inputs")
        .path(input)
        .toString();
  }

  @Nested
  class Reading {
    @Test
    void takesTheApiFormat() {
      assertThat(refusal(GRAPH)).isEmpty();
    }

    @Test
    void unwrapsASavedPostBody() {
      ComfyGraph graph =
          graph("{\"prompt\": " + GRAPH + ", \"extra_data\": {\"extra_pnginfo\": {}}}", Map.of());

      assertThat(graph.nodes()).hasSize(4);
      assertThat(graph.extraData()).isPresent();
    }

    @Test
    void unwrapsTheServerlessFormWithItsImages() {
      ComfyGraph graph =
          graph(
              """
              {"input": {"workflow": %s,
               "images": [{"name": "in.png", "image": "data:image/png;base64,aGVsbG8="}]}}
              """
                  .formatted(GRAPH),
              Map.of());

      assertThat(graph.nodes()).hasSize(4);
      assertThat(graph.images()).extracting(ComfyFile::name).containsExactly("in.png");
    }

    @Test
    void refusesTheEditorsOwnFormatAndSaysWhatToDo() {
      String editor = "{\"nodes\": [], \"links\": [], \"version\": 0.4}";

      assertThat(refusal(editor))
          .hasValueSatisfying(told -> assertThat(told).contains("Export (API)"));
      assertThat(refusal("{\"prompt\": " + editor + "}")).isPresent();
      assertThat(refusal("{\"input\": {\"workflow\": " + editor + "}}")).isPresent();
    }

    @Test
    void refusesWhatIsNoGraph() {
      assertThat(refusal("not json")).hasValueSatisfying(it -> assertThat(it).contains("not JSON"));
      assertThat(refusal("[1]")).contains("the workflow must be a JSON object");
      assertThat(refusal("{}")).contains("the workflow has no nodes");
      assertThat(refusal("{\"prompt\": {}}")).contains("the workflow has no nodes");
      assertThat(refusal("{\"5\": {\"inputs\": {}}}")).contains("node 5 has no class_type");
      assertThat(refusal("{\"last\": 7}"))
          .hasValueSatisfying(told -> assertThat(told).contains("'last' is no node"));
      assertThat(refusal("{\"5\": {\"class_type\": \"A\", \"inputs\": []}}"))
          .hasValueSatisfying(told -> assertThat(told).contains("node 5 (A) has inputs"));
    }

    @Test
    void refusesTheSameNodeTwice() {
      assertThat(refusal("{\"5\": {\"class_type\": \"A\"}, \"5\": {\"class_type\": \"B\"}}"))
          .hasValueSatisfying(told -> assertThat(told).contains("Duplicate"));
    }

    @Test
    void givesANodeWithoutInputsEmptyOnes() {
      assertThat(
              graph("{\"5\": {\"class_type\": \"A\"}}", Map.of()).nodes().path("5").has("inputs"))
          .isTrue();
    }

    @Test
    void refusesImagesThatAreAddressesOrNoBase64() {
      String form =
          """
          {"input": {"workflow": %s, "images": [{"name": "in.png", "image": "%s"}]}}
          """;

      assertThat(refusal(form.formatted(GRAPH, "https://example.com/in.png")))
          .hasValueSatisfying(told -> assertThat(told).contains("nothing is fetched"));
      assertThat(refusal(form.formatted(GRAPH, "data:image/png;base64,a")))
          .hasValueSatisfying(told -> assertThat(told).contains("is not base64"));
    }
  }

  @Nested
  class Setting {
    @Test
    void keepsTheTypeOfTheValueThatWasThere() {
      assertThat(value("3.steps", "30", "3", "steps")).isEqualTo("30");
      assertThat(value("3.cfg", "7.5", "3", "cfg")).isEqualTo("7.5");
      assertThat(value("3.seed", "18446744073709551615", "3", "seed"))
          .isEqualTo("18446744073709551615");
      assertThat(value("9.tiled", "true", "9", "tiled")).isEqualTo("true");
      assertThat(value("6.text", "42", "6", "text")).isEqualTo("\"42\"");
      assertThat(value("6.text", "\"quoted\"", "6", "text")).isEqualTo("\"quoted\"");
      assertThat(value("6.text", "a \"b\" c", "6", "text")).isEqualTo("\"a \\\"b\\\" c\"");
    }

    @Test
    void findsANodeByItsTitle() {
      assertThat(value("Positive.text", "a dog", "6", "text")).isEqualTo("\"a dog\"");
    }

    private Optional<String> refused(String address, String value) {
      return adapter.refusal(new JobRequest(GRAPH, Map.of(address, value), List.of()));
    }

    @Test
    void refusesAnUnknownNodeAndNamesThoseThereAre() {
      assertThat(refused("99.text", "x"))
          .contains(
              "'99.text' names no node of this workflow; it has: node 3 (KSampler), node 6 "
                  + "(CLIPTextEncode 'Positive'), node 10 (LoadImage), node 9 (SaveImage)");
    }

    @Test
    void refusesAnUnknownInputAndNamesThoseThereAre() {
      assertThat(refused("6.txt", "x"))
          .contains(
              "'6.txt': node 6 (CLIPTextEncode 'Positive') has no such input; it has: text, clip");
    }

    @Test
    void refusesAValueOfAnotherType() {
      assertThat(refused("3.steps", "many"))
          .contains("3.steps holds a number (20); 'many' is none");
      assertThat(refused("9.tiled", "1"))
          .contains("9.tiled holds true or false (false); '1' is none");
    }

    @Test
    void refusesToPutAValueOntoAWire() {
      assertThat(refused("3.positive", "a cat"))
          .hasValueSatisfying(
              told ->
                  assertThat(told)
                      .contains("3.positive is wired to node 6 (CLIPTextEncode 'Positive')"));
    }

    @Test
    void refusesAnAddressWithoutAnInput() {
      assertThat(refused("text", "x"))
          .hasValueSatisfying(told -> assertThat(told).contains("write NODE.input"));
    }

    @Test
    void refusesATitleBorneByTwoNodes() {
      String twins =
          """
          {"1": {"class_type": "A", "inputs": {"text": ""}, "_meta": {"title": "T"}},
           "2": {"class_type": "A", "inputs": {"text": ""}, "_meta": {"title": "T"}}}
          """;

      assertThat(adapter.refusal(new JobRequest(twins, Map.of("T.text", "x"), List.of())))
          .hasValueSatisfying(told -> assertThat(told).contains("use the node's id"));
    }
  }

  @Nested
  class Attaching {
    @Test
    void refusesAFileThatNoNodeLoads() {
      JobRequest request =
          new JobRequest(
              GRAPH, Map.of(), List.of(new JobRequest.Attachment("other.png", "/tmp/other.png")));

      assertThat(adapter.refusal(request))
          .contains(
              "no node of this workflow loads 'other.png'; what it loads stands in "
                  + "10.image=\"in.png\", 10.upload=\"image\"");
    }

    @Test
    void takesAFileThatASettingNames() {
      JobRequest request =
          new JobRequest(
              GRAPH,
              Map.of("10.image", "other.png"),
              List.of(new JobRequest.Attachment("other.png", "/tmp/other.png")));

      assertThat(adapter.refusal(request)).isEmpty();
    }
  }

  @Nested
  class Shaping {
    private String shape(String... set) {
      return adapter.shape(new JobRequest(GRAPH, Map.of(set[0], set[1]), List.of()));
    }

    @Test
    void isTheSameForOtherTextsAndSeeds() {
      String plain = adapter.shape(new JobRequest(GRAPH, Map.of(), List.of()));

      assertThat(plain).matches("[0-9a-f]{12}");
      assertThat(shape("6.text", "a dog")).isEqualTo(plain);
      assertThat(shape("3.seed", "8")).isEqualTo(plain);
      assertThat(adapter.shape(new JobRequest("{\"prompt\": " + GRAPH + "}", Map.of(), List.of())))
          .isEqualTo(plain);
    }

    @Test
    void isAnotherForMoreSteps() {
      assertThat(shape("3.steps", "40")).isNotEqualTo(shape("3.steps", "20"));
    }
  }
}
