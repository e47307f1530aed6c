package dev.swapgate.backends.recipe;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where in a JSON answer something stands: {@code data[0].result[*].file}. Names, places and "each
 * of them" are all that answers of media servers need; the libraries for JSONPath add filters and
 * scripts, which have no business in a configuration, and cannot look into a text without reading
 * all of it into memory.
 *
 * <p>A leading {@code $} is allowed; a name with odd characters is written {@code ["a.b"]}. A text
 * on the way is read as JSON, for servers that put JSON inside a string.
 *
 * @param text as it was written
 */
public record JsonPath(String text, List<Step> steps) {

  private static final Pattern STEP =
      Pattern.compile("\\.?([^.\\[\\]\"*$\\s]+)|\\[(\\d{1,6})]|\\[(\\*)]|\\[\"([^\"]+)\"]");

  public JsonPath {
    steps = List.copyOf(steps);
  }

  /** One step down. */
  public sealed interface Step {
    /** Into a key of an object. */
    record Key(String name) implements Step {}

    /** To one item of a list, from 0. */
    record Item(int place) implements Step {}

    /** To every item of a list. */
    record Each() implements Step {}
  }

  /**
   * Reads a path.
   *
   * @throws RecipeException when it is none
   */
  public static JsonPath parse(String text) {
    String rest = text.startsWith("$") ? text.substring(1) : text;
    List<Step> steps = new ArrayList<>();
    Matcher next = STEP.matcher(rest);
    int at = 0;
    while (at < rest.length()) {
      boolean fits = next.find(at) && next.start() == at && isBordered(text, rest, at);
      if (!fits) {
        throw new RecipeException(
            "\"%s\" is no path into JSON at \"%s\"; write for example data[0].id or images[*]"
                .formatted(text, rest.substring(at)));
      }
      steps.add(step(next));
      at = next.end();
    }
    if (text.isEmpty()) {
      throw new RecipeException("is empty; write for example data[0].id, or $ for all of it");
    }
    return new JsonPath(text, steps);
  }

  /** A dot stands between a name and what is before it, and nowhere else. */
  private static boolean isBordered(String text, String rest, int at) {
    boolean dot = rest.charAt(at) == '.';
    boolean bracket = rest.charAt(at) == '[';
    return at == 0 ? bracket || dot == text.startsWith("$") : dot || bracket;
  }

  private static Step step(Matcher found) {
    if (found.group(1) != null) {
      return new Step.Key(found.group(1));
    }
    if (found.group(2) != null) {
      return new Step.Item(Integer.parseInt(found.group(2)));
    }
    return found.group(3) != null ? new Step.Each() : new Step.Key(found.group(4));
  }
}
