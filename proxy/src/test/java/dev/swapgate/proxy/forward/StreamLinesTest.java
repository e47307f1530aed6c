package dev.swapgate.proxy.forward;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StreamLinesTest {
  private final StreamLines lines = new StreamLines();

  private String pass(String text) {
    ByteBuffer passed = lines.pass(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    return StandardCharsets.UTF_8.decode(passed).toString();
  }

  @ParameterizedTest
  @CsvSource({
    "'',''",
    "'data: 1\\n\\n',''",
    "'data: 1\\r\\n\\r\\n',''",
    "'data: 1\\r\\r',''",
    "'data: 1\\n','\\n'",
    "'data: 1\\r\\n','\\n'",
    "'data: 1\\r','\\n\\n'",
    "': c\\n\\nid: 1\\n','\\n'"
  })
  void knowsWhatIsMissingToTheEndOfAnEvent(String sent, String missing) {
    pass(sent.translateEscapes());

    assertThat(lines.separator()).isEqualTo(missing.translateEscapes());
  }

  @Test
  void aLineIsWholeWhereverItWasCut() {
    StringBuilder all = new StringBuilder();
    for (String piece : "data: é\n\ndata: 2\n\n".split("(?<=\\G..)")) {
      String passed = pass(piece);
      assertThat(passed).matches("(?s)|.*\n");
      all.append(passed);
    }
    assertThat(all.toString()).isEqualTo("data: é\n\ndata: 2\n\n");
  }

  @Test
  void aLineWithoutEndPassesInParts() {
    assertThat(pass("x".repeat(60_000))).isEmpty();
    assertThat(pass("x".repeat(10_000))).hasSize(70_000);
    assertThat(lines.separator()).isEqualTo("\n\n");
  }
}
