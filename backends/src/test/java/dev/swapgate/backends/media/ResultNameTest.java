package dev.swapgate.backends.media;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResultNameTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "ComfyUI_00001_.png | ComfyUI_00001_.png",
        "../../etc/passwd | passwd",
        "a\\b\\c.png | c.png",
        "/abs/path.wav | path.wav",
        ".hidden | hidden",
        "... | result",
        "dir/ | result",
        "a..b.png | a.b.png",
        "what?<x>*.png | what__x__.png",
        "名前.png | 名前.png",
        "trailing. | trailing",
      })
  void isMadeSafe(String told, String safe) {
    assertThat(ResultName.safe(told)).isEqualTo(safe);
  }

  @Test
  void losesControlCharactersAndThoseThatTurnTextAround() {
    assertThat(ResultName.safe("a\u0000b\nc\u202Egnp.exe")).isEqualTo("a_b_c_gnp.exe");
  }

  @Test
  void isCutToItsLimitAndKeepsItsExtension() {
    String name = ResultName.safe("é".repeat(500) + ".png");

    assertThat(name).endsWith(".png");
    assertThat(name.getBytes(StandardCharsets.UTF_8).length).isBetween(100, ResultName.LIMIT);
  }

  @Test
  void isNumberedWhenTaken() {
    Set<String> taken = new HashSet<>();

    assertThat(ResultName.unique("a.png", taken)).isEqualTo("a.png");
    assertThat(ResultName.unique("a.png", taken)).isEqualTo("a-2.png");
    assertThat(ResultName.unique("A.png", taken)).isEqualTo("A-3.png");
    assertThat(ResultName.unique("a", taken)).isEqualTo("a");
  }
}
