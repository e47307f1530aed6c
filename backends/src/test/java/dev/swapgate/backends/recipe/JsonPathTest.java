package dev.swapgate.backends.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.swapgate.backends.recipe.JsonPath.Step;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonPathTest {

  @ParameterizedTest
  @CsvSource({
    "data[0].result[*].file",
    "$.data[0].result[*].file",
    "$[\"data\"][0].result[*].file"
  })
  void goesThroughNamesPlacesAndEachOfThem(String text) {
    assertThat(JsonPath.parse(text).steps())
        .containsExactly(
            new Step.Key("data"),
            new Step.Item(0),
            new Step.Key("result"),
            new Step.Each(),
            new Step.Key("file"));
  }

  @Test
  void aNameMayHoldWhatElseWouldMeanSomething() {
    assertThat(JsonPath.parse("[\"a.b[0]\"]").steps()).containsExactly(new Step.Key("a.b[0]"));
    assertThat(JsonPath.parse("$").steps()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a..b", ".a", "a.", "a[", "a[x]", "a[-1]", "a b", "$a", "a[0]b", "a.[0]", "$$"})
  void tellsWhereItStopsMakingSense(String text) {
    assertThatThrownBy(() -> JsonPath.parse(text))
        .isInstanceOf(RecipeException.class)
        .hasMessageStartingWith("\"" + text + "\" is no path into JSON at ");
  }
}
