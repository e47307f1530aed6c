package dev.swapgate.backends.recipe;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The shape of a JSON body. Values go into it as JSON values and never as text between quotes, so
 * that no value can change the shape: where a text is one variable and nothing else, the value goes
 * there with its own type.
 */
public sealed interface BodyTemplate {

  /** An object, in this order. */
  record Fields(Map<String, BodyTemplate> fields) implements BodyTemplate {
    public Fields {
      fields = new LinkedHashMap<>(fields);
    }
  }

  /** A list. */
  record Items(List<BodyTemplate> items) implements BodyTemplate {
    public Items {
      items = List.copyOf(items);
    }
  }

  /** A text, or a value in a text's place. */
  record Text(TextTemplate text) implements BodyTemplate {}

  /**
   * A number, true, false or null.
   *
   * @param json as JSON
   */
  record Fixed(String json) implements BodyTemplate {}

  /** The names of all values that go into it. */
  default Set<String> variables() {
    Set<String> names = new TreeSet<>();
    switch (this) {
      case Fields object -> object.fields().values().forEach(one -> names.addAll(one.variables()));
      case Items list -> list.items().forEach(one -> names.addAll(one.variables()));
      case Text text -> names.addAll(text.text().variables());
      case Fixed fixed -> {}
    }
    return names;
  }
}
