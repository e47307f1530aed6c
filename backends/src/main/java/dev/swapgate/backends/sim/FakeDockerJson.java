package dev.swapgate.backends.sim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * As much JSON as Docker's clients speak: objects, lists, texts, whole numbers, truth values. A
 * {@code null} counts as absent.
 */
final class FakeDockerJson {
  private static final Object ABSENT = new Object();

  private final String text;
  private int at;

  private FakeDockerJson(String text) {
    this.text = text;
  }

  /**
   * @throws IllegalArgumentException when it is no object
   */
  static Map<String, Object> object(String text) {
    FakeDockerJson reader = new FakeDockerJson(text);
    reader.expect('{');
    return reader.object();
  }

  private Map<String, Object> object() {
    Map<String, Object> object = new LinkedHashMap<>();
    while (!took('}')) {
      expect('"');
      String key = string();
      expect(':');
      Object value = value();
      if (value != ABSENT) {
        object.put(key, value);
      }
      took(',');
    }
    return object;
  }

  private List<Object> list() {
    List<Object> list = new ArrayList<>();
    while (!took(']')) {
      Object value = value();
      if (value != ABSENT) {
        list.add(value);
      }
      took(',');
    }
    return list;
  }

  private Object value() {
    if (took('{')) {
      return object();
    }
    if (took('[')) {
      return list();
    }
    if (took('"')) {
      return string();
    }
    int from = at;
    while (at < text.length() && ",]} \r\n\t".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    String word = text.substring(from, at);
    return switch (word) {
      case "null" -> ABSENT;
      case "true" -> true;
      case "false" -> false;
      default -> number(word);
    };
  }

  private Object number(String word) {
    try {
      return word.matches("-?[0-9]+") ? (Object) Long.valueOf(word) : Double.valueOf(word);
    } catch (NumberFormatException notANumber) {
      throw broken("a value");
    }
  }

  private String string() {
    StringBuilder string = new StringBuilder();
    for (char next = next(); next != '"'; next = next()) {
      string.append(next == '\\' ? escaped() : next);
    }
    return string.toString();
  }

  private char escaped() {
    char next = next();
    return switch (next) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'u' -> {
        at += 4;
        if (at > text.length()) {
          throw broken("four digits");
        }
        yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
      }
      default -> next;
    };
  }

  private char next() {
    if (at == text.length()) {
      throw broken("more");
    }
    return text.charAt(at++);
  }

  private boolean took(char wanted) {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    boolean there = at < text.length() && text.charAt(at) == wanted;
    at += there ? 1 : 0;
    return there;
  }

  private void expect(char wanted) {
    if (!took(wanted)) {
      throw broken(String.valueOf(wanted));
    }
  }

  private IllegalArgumentException broken(String wanted) {
    return new IllegalArgumentException("no JSON: expected " + wanted + " at character " + at);
  }

  /** Of maps, collections, texts, numbers and truth values. */
  static String write(Object value) {
    StringBuilder out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private static void write(Object value, StringBuilder out) {
    if (value instanceof Map<?, ?> map) {
      String separator = "{";
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.append(separator);
        quote(String.valueOf(entry.getKey()), out);
        out.append(':');
        write(entry.getValue(), out);
        separator = ",";
      }
      out.append(map.isEmpty() ? "{}" : "}");
    } else if (value instanceof Iterable<?> items) {
      String separator = "";
      out.append('[');
      for (Object item : items) {
        out.append(separator);
        write(item, out);
        separator = ",";
      }
      out.append(']');
    } else if (value instanceof Number || value instanceof Boolean) {
      out.append(value);
    } else {
      quote(value.toString(), out);
    }
  }

  private static void quote(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char next = text.charAt(i);
      if (next == '"' || next == '\\') {
        out.append('\\').append(next);
      } else if (next < ' ') {
        out.append(String.format("\\u%04x", (int) next));
      } else {
        out.append(next);
      }
    }
    out.append('"');
  }
}
