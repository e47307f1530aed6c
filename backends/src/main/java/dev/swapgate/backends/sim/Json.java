package dev.swapgate.backends.sim;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * As much JSON as the simulators need: objects are maps in the order read, arrays are lists, whole
 * numbers {@link Long} or {@link BigInteger}, others {@link Double}. A parser of its own because
 * the runtime image holds {@code java.base} and nothing to parse with.
 */
public final class Json {
  private static final int MAX_DEPTH = 200;

  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /** The text is not JSON. */
  public static final class Malformed extends RuntimeException {
    Malformed(String message) {
      super(message);
    }
  }

  /**
   * Reads one value.
   *
   * @throws Malformed when that is not what the text holds
   */
  public static @Nullable Object parse(String text) {
    Json json = new Json(text);
    Object value = json.value(0);
    json.blanks();
    if (json.at < text.length()) {
      throw json.malformed("nothing more");
    }
    return value;
  }

  /** Names and values in turn, kept in this order. */
  public static Map<String, @Nullable Object> object(@Nullable Object... namesAndValues) {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      object.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
    }
    return object;
  }

  /** The value as an object; empty when it is something else. */
  @SuppressWarnings("unchecked")
  public static Map<String, @Nullable Object> asObject(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? (Map<String, @Nullable Object>) map : Map.of();
  }

  /** The value as an array; empty when it is something else. */
  @SuppressWarnings("unchecked")
  public static List<@Nullable Object> asList(@Nullable Object value) {
    return value instanceof List<?> list ? (List<@Nullable Object>) list : List.of();
  }

  public static String asText(@Nullable Object value, String otherwise) {
    return value instanceof String string ? string : otherwise;
  }

  public static long asLong(@Nullable Object value, long otherwise) {
    return value instanceof Number number ? number.longValue() : otherwise;
  }

  public static String write(@Nullable Object value) {
    StringBuilder out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private static void write(@Nullable Object value, StringBuilder out) {
    switch (value) {
      case null -> out.append("null");
      case Map<?, ?> map -> {
        String comma = "{";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          out.append(comma);
          quote(String.valueOf(entry.getKey()), out);
          out.append(':');
          write(entry.getValue(), out);
          comma = ",";
        }
        out.append(map.isEmpty() ? "{}" : "}");
      }
      case Iterable<?> list -> {
        out.append('[');
        String comma = "";
        for (Object item : list) {
          out.append(comma);
          write(item, out);
          comma = ",";
        }
        out.append(']');
      }
      case Number number -> out.append(number);
      case Boolean flag -> out.append(flag);
      default -> quote(value.toString(), out);
    }
  }

  private static void quote(String value, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < ' ') {
            out.append("\\u%04x".formatted((int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }

  private @Nullable Object value(int depth) {
    if (depth > MAX_DEPTH) {
      throw malformed("no more than " + MAX_DEPTH + " levels");
    }
    blanks();
    return switch (peek()) {
      case '{' -> readObject(depth);
      case '[' -> readList(depth);
      case '"' -> readString();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> readNumber();
    };
  }

  private Map<String, @Nullable Object> readObject(int depth) {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    at++;
    blanks();
    while (peek() != '}') {
      if (!object.isEmpty()) {
        expect(',');
        blanks();
      }
      String name = readString();
      blanks();
      expect(':');
      object.put(name, value(depth + 1));
      blanks();
    }
    at++;
    return object;
  }

  private List<@Nullable Object> readList(int depth) {
    List<@Nullable Object> list = new ArrayList<>();
    at++;
    blanks();
    while (peek() != ']') {
      if (!list.isEmpty()) {
        expect(',');
      }
      list.add(value(depth + 1));
      blanks();
    }
    at++;
    return list;
  }

  private String readString() {
    expect('"');
    StringBuilder read = new StringBuilder();
    while (peek() != '"') {
      char c = text.charAt(at++);
      read.append(c == '\\' ? escaped() : c);
    }
    at++;
    return read.toString();
  }

  private char escaped() {
    char c = peek();
    at++;
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        if (at + 4 > text.length()) {
          throw malformed("four hex digits");
        }
        try {
          yield (char) Integer.parseInt(text.substring(at, at += 4), 16);
        } catch (NumberFormatException e) {
          throw malformed("four hex digits");
        }
      }
      default -> throw malformed("an escape");
    };
  }

  private Number readNumber() {
    int start = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    String digits = text.substring(start, at);
    try {
      if (digits.matches("-?\\d+")) {
        BigInteger whole = new BigInteger(digits);
        return whole.bitLength() < Long.SIZE ? (Number) whole.longValue() : whole;
      }
      return Double.valueOf(digits);
    } catch (NumberFormatException e) {
      throw malformed("a value");
    }
  }

  private @Nullable Object word(String word, @Nullable Object value) {
    if (!text.startsWith(word, at)) {
      throw malformed(word);
    }
    at += word.length();
    return value;
  }

  private void expect(char wanted) {
    if (peek() != wanted) {
      throw malformed("'" + wanted + "'");
    }
    at++;
  }

  private char peek() {
    if (at >= text.length()) {
      throw malformed("more text");
    }
    return text.charAt(at);
  }

  private void blanks() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private Malformed malformed(String wanted) {
    return new Malformed("not JSON at character " + at + ": expected " + wanted);
  }
}
