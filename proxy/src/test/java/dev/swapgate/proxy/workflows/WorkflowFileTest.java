package dev.swapgate.proxy.workflows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people hand in as a workflow. */
class WorkflowFileTest {

  private static final String GRAPH =
      "{\"6\":{\"class_type\":\"CLIPTextEncode\",\"inputs\":{\"text\":\"a cat\"}}}";
  private static final String EDITOR = "{\"nodes\":[],\"links\":[],\"version\":0.4}";

  private static ObjectNode read(byte[] bytes) throws IOException {
    return WorkflowFile.read(new ByteArrayInputStream(bytes));
  }

  private static ObjectNode read(String text) throws IOException {
    return read(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void isFoundInAPictureOfComfyUis() throws Exception {
    for (byte[] chunk :
        new byte[][] {
          Pictures.text("prompt", GRAPH),
          Pictures.packed("prompt", GRAPH),
          Pictures.international("prompt", GRAPH, false),
          Pictures.international("prompt", GRAPH, true)
        }) {
      byte[] picture = Pictures.png(Pictures.text("workflow", EDITOR), chunk);

      assertThat(read(picture)).hasToString(GRAPH);
    }
  }

  @Test
  void keepsItsLettersFromAPicture() throws Exception {
    String graph = GRAPH.replace("a cat", "eine Katze für 東京");

    assertThat(read(Pictures.png(Pictures.international("prompt", graph, false))))
        .hasToString(graph);
  }

  /** As ComfyUI writes them for nodes that say whether they changed. */
  @Test
  void bearsNumbersThatAreNone() throws Exception {
    String graph = GRAPH.replace("}}}", "},\"is_changed\":[NaN]}}");

    assertThat(read(Pictures.png(Pictures.text("prompt", graph)))).hasToString(GRAPH);
  }

  @Test
  void saysWhatAPictureLacks() {
    byte[] whole = Pictures.png(Pictures.text("prompt", GRAPH));

    assertThatThrownBy(() -> read(Pictures.png(Pictures.text("workflow", EDITOR))))
        .isInstanceOf(WorkflowException.class)
        .hasMessageContaining("only the editor's form")
        .hasMessageContaining("Export (API)");
    assertThatThrownBy(() -> read(Pictures.png())).hasMessageContaining("without a workflow");
    assertThatThrownBy(() -> read(Arrays.copyOf(whole, 50_000)))
        .hasMessageContaining("without a workflow");
    assertThatThrownBy(() -> read(Pictures.png(Pictures.text("prompt", "seaside, 4k"))))
        .hasMessageContaining("no workflow of ComfyUI's");
    assertThatThrownBy(() -> read(new byte[] {(byte) 0xff, (byte) 0xd8, 0}))
        .hasMessageContaining("nor a PNG");
  }

  @Test
  void aTextThatUnpacksToMoreThanAnyoneWritesIsRefused() throws Exception {
    byte[] bomb = Pictures.packed("prompt", " ".repeat(17 << 20));

    assertThatThrownBy(() -> read(Pictures.png(bomb)))
        .isInstanceOf(WorkflowException.class)
        .hasMessageContaining("more than 16 MiB");
  }

  @ParameterizedTest
  @ValueSource(strings = {"%s", "{\"prompt\":%s}", "{\"input\":{\"workflow\":%s}}"})
  void isFoundInItsWrappings(String wrapping) throws Exception {
    assertThat(Graph.in(read(wrapping.formatted(GRAPH))).orElseThrow().nodes()).hasToString(GRAPH);
  }

  @ParameterizedTest
  @ValueSource(strings = {"%s", "{\"prompt\":%s}", "{\"input\":{\"workflow\":%s}}"})
  void asTheEditorSavesItItIsRefusedWithTheWayOut(String wrapping) {
    assertThatThrownBy(() -> Graph.in(read(wrapping.formatted(EDITOR))))
        .isInstanceOf(WorkflowException.class)
        .hasMessageContaining("Export (API)");
  }

  @Test
  void aRequestOfAnotherServerIsNone() throws Exception {
    assertThat(Graph.in(read("{\"prompt\":\"a waltz\",\"seconds\":30}"))).isEmpty();
  }
}
