package dev.swapgate.backends.recipe;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text with {@code {name}} where a value goes; a brace itself is written twice.
 *
 * @param text as it was written
 */
public record TextTemplate(String text, List<Part> parts) {

  private static final Pattern PIECE =
      Pattern.compile("\\{\\{|}}|\\{([A-Za-z_][A-Za-z0-9_]*)}|[^{}]+");

  public TextTemplate {
    parts = List.copyOf(parts);
  }

  /** A piece of it. */
  public sealed interface Part {
    /** Stands as it is. */
    record Literal(String text) implements Part {}

    /** A value goes here. */
    record Variable(String name) implements Part {}
  }

  /**
   * Reads a template.
   *
   * @throws RecipeException when a brace in it means nothing
   */
  public static TextTemplate parse(String text) {
    List<Part> parts = new ArrayList<>();
    Matcher piece = PIECE.matcher(text);
    int at = 0;
    while (at < text.length()) {
      if (!piece.find(at) || piece.start() != at) {
        throw new RecipeException(
            "\"%s\" has a brace that names nothing; write {name}, or {{ and }} for braces"
                .formatted(text));
      }
      String found = piece.group();
      parts.add(
          piece.group(1) != null
              ? new Part.Variable(piece.group(1))
              : new Part.Literal(
                  found.equals("{{") || found.equals("}}") ? found.substring(1) : found));
      at = piece.end();
    }
    return new TextTemplate(text, parts);
  }

  public Set<String> variables() {
    Set<String> names = new TreeSet<>();
    for (Part part : parts) {
      if (part instanceof Part.Variable variable) {
        names.add(variable.name());
      }
    }
    return names;
  }

  /** The text with a value in each place. */
  public String filled(UnaryOperator<String> valueOf) {
    StringBuilder filled = new StringBuilder();
    for (Part part : parts) {
      filled.append(
          switch (part) {
            case Part.Literal literal -> literal.text();
            case Part.Variable variable -> valueOf.apply(variable.name());
          });
    }
    return filled.toString();
  }
}
