package dev.swapgate.proxy.config;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;

/**
 * Reads the one document of a file, strictly. It works on parser events because an object mapper
 * silently reads {@code *a} as the text "a", keeps the last of two equal keys, and drops a second
 * document.
 */
final class YamlDocument {

  /** Nesting beyond this is refused; the example needs four levels. */
  static final int MAX_DEPTH = 20;

  private final Problems problems;
  private final Iterator<Event> events;

  private YamlDocument(Problems problems, Iterator<Event> events) {
    this.problems = problems;
    this.events = events;
  }

  /** The top mapping; empty when the text has none, which is told as a problem. */
  static Optional<Node.Mapping> read(String text, Problems problems) {
    try {
      Iterator<Event> events = new Yaml().parse(new StringReader(text)).iterator();
      return new YamlDocument(problems, events).document();
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine() + 1;
      problems.add(line, "", "is not readable as YAML: " + oneLine(e.getProblem()));
    } catch (YAMLException e) {
      problems.add(0, "", "is not readable as YAML: " + oneLine(e.getMessage()));
    }
    return Optional.empty();
  }

  private Optional<Node.Mapping> document() {
    Node top = null;
    int documents = 0;
    while (events.hasNext()) {
      Event event = events.next();
      if (event instanceof DocumentStartEvent start) {
        if (++documents > 1) {
          problems.add(line(event), "", "a second document begins; keep one, without ---");
          break;
        }
        if (start.getTags() != null && !start.getTags().isEmpty()) {
          problems.add(line(event), "", "%TAG is not used here; remove it");
        }
      } else if (event instanceof NodeEvent node) {
        top = node(node, "", 1);
      }
    }
    if (top instanceof Node.Mapping mapping) {
      return Optional.of(mapping);
    }
    if (top instanceof Node.Refused) {
      return Optional.empty();
    }
    if (top == null || (top instanceof Node.Scalar scalar && scalar.isMissing())) {
      problems.add(0, "", "is empty; at least selected and engines are needed");
    } else {
      problems.add(top.line(), "", "the file must be a map of keys, but is " + top.kind());
    }
    return Optional.empty();
  }

  private Node node(NodeEvent event, String path, int depth) {
    int line = line(event);
    if (event instanceof AliasEvent) {
      problems.add(line, path, "*" + event.getAnchor() + " is an alias; write the value out");
      return new Node.Refused(line);
    }
    if (event.getAnchor() != null) {
      problems.add(line, path, "&" + event.getAnchor() + " is an anchor; remove it");
    }
    if (event instanceof ScalarEvent scalar) {
      refuseTag(scalar.getTag(), line, path);
      return new Node.Scalar(scalar.getValue(), scalar.isPlain(), line);
    }
    refuseTag(((CollectionStartEvent) event).getTag(), line, path);
    if (depth > MAX_DEPTH) {
      problems.add(line, path, "is nested deeper than " + MAX_DEPTH + " levels");
      skip();
      return new Node.Refused(line);
    }
    return event instanceof MappingStartEvent
        ? mapping(line, path, depth)
        : sequence(line, path, depth);
  }

  private Node mapping(int line, String path, int depth) {
    Map<String, Node.Entry> entries = new LinkedHashMap<>();
    Event event = events.next();
    while (event instanceof NodeEvent keyEvent) {
      int keyLine = line(keyEvent);
      Node keyNode = node(keyEvent, path, depth + 1);
      if (!(keyNode instanceof Node.Scalar key)) {
        if (!(keyNode instanceof Node.Refused)) {
          problems.add(keyLine, path, "a key must be a plain word, but is " + keyNode.kind());
        }
        node((NodeEvent) events.next(), path, depth + 1);
        event = events.next();
        continue;
      }
      String keyPath = path.isEmpty() ? key.text() : path + "." + key.text();
      Node value = node((NodeEvent) events.next(), keyPath, depth + 1);
      Node.Entry before = entries.get(key.text());
      if (key.text().equals("<<")) {
        problems.add(keyLine, keyPath, "is a merge key; write the values out");
      } else if (before != null) {
        problems.add(
            keyLine, keyPath, "stands here again, first on line " + before.line() + "; keep one");
      } else {
        entries.put(key.text(), new Node.Entry(keyLine, value));
      }
      event = events.next();
    }
    return new Node.Mapping(entries, line);
  }

  private Node sequence(int line, String path, int depth) {
    List<Node> items = new ArrayList<>();
    while (events.next() instanceof NodeEvent item) {
      items.add(node(item, path + "[" + items.size() + "]", depth + 1));
    }
    return new Node.Sequence(items, line);
  }

  /** Passes over the rest of a collection whose start was just taken. */
  private void skip() {
    int open = 1;
    while (open > 0) {
      Event event = events.next();
      if (event instanceof MappingStartEvent || event instanceof SequenceStartEvent) {
        open++;
      } else if (!(event instanceof NodeEvent)) {
        open--;
      }
    }
  }

  private void refuseTag(@Nullable String tag, int line, String path) {
    if (tag != null) {
      problems.add(line, path, "the tag " + tag + " is not used here; remove it");
    }
  }

  private static int line(Event event) {
    return event.getStartMark() == null ? 0 : event.getStartMark().getLine() + 1;
  }

  private static String oneLine(@Nullable String text) {
    return text == null ? "unknown reason" : text.lines().findFirst().orElse("").strip();
  }
}
