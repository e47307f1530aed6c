package dev.swapgate.proxy.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A YAML value and the line it begins on, as text: nothing is guessed to be a number or a date. */
sealed interface Node {

  int line();

  /** What it is, for people. */
  String kind();

  /**
   * A single value.
   *
   * @param plain not quoted, so that an empty one is a missing value
   */
  record Scalar(String text, boolean plain, int line) implements Node {
    boolean isMissing() {
      return plain && (text.isEmpty() || text.equals("~") || text.equals("null"));
    }

    @Override
    public String kind() {
      return isMissing() ? "nothing" : "a single value";
    }
  }

  /** Keys and values, in the order of the file. */
  record Mapping(Map<String, Entry> entries, int line) implements Node {
    public Mapping {
      entries = new LinkedHashMap<>(entries);
    }

    @Override
    public String kind() {
      return "a map of keys";
    }
  }

  /** One key's line and value. */
  record Entry(int line, Node value) {}

  /** A list. */
  record Sequence(List<Node> items, int line) implements Node {
    public Sequence {
      items = List.copyOf(items);
    }

    @Override
    public String kind() {
      return "a list";
    }
  }

  /** What was told as a problem already; read as absent, without a word more. */
  record Refused(int line) implements Node {
    @Override
    public String kind() {
      return "not used here";
    }
  }
}
