package dev.swapgate.backends.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "null",
        "-12",
        "18446744073709551615",
        "7.5",
        "\"a\\\"b\\\\c\\n\\u0001é\"",
        "{\"b\":[1,{\"a\":null}],\"a\":true}"
      })
  void writesWhatItRead(String text) {
    assertThat(Json.write(Json.parse(text))).isEqualTo(text);
  }

  @Test
  void readsBlanksAndEscapes() {
    assertThat(Json.write(Json.parse(" { \"a\" : [ 1 , 2 ] , \"\\u0041\\/\" : false } ")))
        .isEqualTo("{\"a\":[1,2],\"A/\":false}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[1,]", "{\"a\"}", "nul", "1 2", "\"\\u12\"", "\"\\x\"", "--1"})
  void refusesWhatIsNotJson(String text) {
    assertThatThrownBy(() -> Json.parse(text))
        .isInstanceOf(Json.Malformed.class)
        .hasMessageContaining("not JSON at character");
  }

  @Test
  void refusesEndlessNesting() {
    assertThatThrownBy(() -> Json.parse("[".repeat(100_000)))
        .isInstanceOf(Json.Malformed.class)
        .hasMessageContaining("200 levels");
  }
}
