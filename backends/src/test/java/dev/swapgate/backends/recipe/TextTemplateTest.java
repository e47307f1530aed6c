package dev.swapgate.backends.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextTemplateTest {

  @Test
  void putsValuesInAndLeavesDoubledBracesAsOne() {
    TextTemplate template = TextTemplate.parse("/{a}/{{b}}/{c_1}{a}");

    assertThat(template.variables()).containsExactly("a", "c_1");
    assertThat(template.filled(name -> "<" + name + ">")).isEqualTo("/<a>/{b}/<c_1><a>");
  }

  @Test
  void aValueIsNotReadAsATemplate() {
    assertThat(TextTemplate.parse("{a}").filled(name -> "{b}")).isEqualTo("{b}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "}", "{}", "{a b}", "{1}", "{a", "a}"})
  void aBraceThatNamesNothingIsRefused(String text) {
    assertThatThrownBy(() -> TextTemplate.parse(text))
        .isInstanceOf(RecipeException.class)
        .hasMessageContaining("has a brace that names nothing");
  }
}
