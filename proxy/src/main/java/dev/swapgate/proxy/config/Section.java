package dev.swapgate.proxy.config;

import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One map of keys while it is read. Each question names a key that is known; {@link #done} tells
 * the keys nobody asked for. A value that is wrong is told and read as absent, so that one mistake
 * hides no other.
 */
final class Section {

  private final Node.Mapping mapping;
  private final String path;
  private final Reading reading;
  private final Set<String> known = new LinkedHashSet<>();

  /** What all sections of one file share. */
  record Reading(Problems problems, Placeholders placeholders, Question.Listener listener) {
    Reading(Problems problems, Placeholders placeholders) {
      this(problems, placeholders, (path, question) -> {});
    }
  }

  Section(Node.Mapping mapping, String path, Reading reading) {
    this.mapping = mapping;
    this.path = path;
    this.reading = reading;
    if (!path.isEmpty()) {
      reading.listener().asked(path, new Question.Keys());
    }
  }

  int line() {
    return mapping.line();
  }

  String path() {
    return path;
  }

  String path(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  /** The line of a key; of the section when the key is absent. */
  int line(String key) {
    Node.Entry entry = mapping.entries().get(key);
    return entry == null ? mapping.line() : entry.line();
  }

  boolean has(String key) {
    return mapping.entries().containsKey(key);
  }

  void problem(String key, String text) {
    reading.problems().add(line(key), path(key), text);
  }

  void problem(int line, String keyPath, String text) {
    reading.problems().add(line, keyPath, text);
  }

  /** Whatever stands at a key, as it stands there. */
  Optional<Node> node(String key) {
    asked(key, new Question.Anything());
    return Optional.ofNullable(value(key));
  }

  /** Tells every key that was not asked for. */
  void done() {
    for (String key : mapping.entries().keySet()) {
      if (!known.contains(key)) {
        String near =
            Nearest.to(key, known)
                .map(word -> "did you mean " + word + "?")
                .orElse("known here: " + String.join(", ", known));
        problem(key, "is not a known key; " + near);
      }
    }
  }

  /** The keys of a map whose keys the owner of the box chooses. */
  Set<String> freeKeys() {
    reading.listener().asked(path, new Question.FreeKeys());
    known.addAll(mapping.entries().keySet());
    return mapping.entries().keySet();
  }

  Optional<String> text(String key) {
    asked(key, new Question.Text());
    return scalar(key).map(scalar -> resolved(scalar, key));
  }

  /** The text before variables are put in. */
  Optional<String> raw(String key) {
    asked(key, new Question.Text());
    return scalar(key).map(Node.Scalar::text);
  }

  /** A text that must be there and not blank; a stand-in when it is not, which is told. */
  String required(String key, String standIn, String what) {
    Optional<String> text = text(key);
    if (text.isEmpty() && !has(key)) {
      reading.problems().add(mapping.line(), path(key), "is missing; name " + what);
    } else if (text.isPresent() && text.get().isBlank()) {
      problem(key, "is blank; name " + what);
    }
    return text.filter(value -> !value.isBlank()).orElse(standIn);
  }

  Duration duration(String key, Duration fallback, Duration min, Duration max) {
    asked(key, new Question.Span(Optional.of(fallback), min, max));
    return duration(key, min, max).orElse(fallback);
  }

  Optional<Duration> duration(String key, Duration min, Duration max) {
    asked(key, new Question.Span(Optional.empty(), min, max));
    Optional<String> text = text(key);
    Optional<Duration> value = text.flatMap(Durations::parse);
    if (text.isPresent() && value.isEmpty()) {
      problem(key, seen(key) + " is no duration; write 90s, 15m, 1h30m or 500ms");
    }
    if (value.isPresent() && (value.get().compareTo(min) < 0 || value.get().compareTo(max) > 0)) {
      problem(key, outside(seen(key), Durations.text(min), Durations.text(max)));
      return Optional.empty();
    }
    return value;
  }

  int number(String key, int fallback, int min, int max) {
    asked(key, new Question.Whole(OptionalInt.of(fallback), min, max));
    return number(key, min, max).orElse(fallback);
  }

  OptionalInt number(String key, int min, int max) {
    asked(key, new Question.Whole(OptionalInt.empty(), min, max));
    Optional<String> text = text(key);
    return text.isEmpty() ? OptionalInt.empty() : number(text.get(), seen(key), key, min, max);
  }

  private OptionalInt number(String text, String seen, String key, int min, int max) {
    if (!text.matches("0|[1-9]\\d*")) {
      problem(key, seen + " is no whole number; it must lie between " + min + " and " + max);
      return OptionalInt.empty();
    }
    BigInteger value = new BigInteger(text);
    if (value.compareTo(BigInteger.valueOf(min)) < 0
        || value.compareTo(BigInteger.valueOf(max)) > 0) {
      problem(key, outside(seen, "" + min, "" + max));
      return OptionalInt.empty();
    }
    return OptionalInt.of(value.intValueExact());
  }

  /** In bytes. */
  OptionalLong size(String key, long min, long max) {
    asked(key, new Question.Size(min, max));
    Optional<String> text = text(key);
    if (text.isEmpty()) {
      return OptionalLong.empty();
    }
    Optional<Long> bytes = Sizes.parse(text.get());
    if (bytes.isEmpty()) {
      problem(key, seen(key) + " is no size; write 31GiB, 512MiB or 64KiB");
      return OptionalLong.empty();
    }
    if (bytes.get() < min || bytes.get() > max) {
      problem(key, outside(seen(key), Sizes.text(min), Sizes.text(max)));
      return OptionalLong.empty();
    }
    return OptionalLong.of(bytes.get());
  }

  List<String> texts(String key) {
    asked(key, new Question.Texts());
    List<String> texts = new ArrayList<>();
    items(key).forEach(item -> texts.add(resolved(item, key)));
    return texts;
  }

  Set<Integer> numbers(String key, Set<Integer> fallback, int min, int max) {
    asked(key, new Question.Wholes(min, max));
    if (!has(key)) {
      known.add(key);
      return fallback;
    }
    Set<Integer> numbers = new LinkedHashSet<>();
    for (Node.Scalar item : items(key)) {
      number(resolved(item, key), quoted(item.text()), key, min, max).ifPresent(numbers::add);
    }
    return numbers.isEmpty() ? fallback : numbers;
  }

  /** A map of free names to texts, in the order of the file. */
  Map<String, String> textMap(String key) {
    Map<String, String> texts = new LinkedHashMap<>();
    section(key)
        .ifPresent(
            section -> {
              for (String name : section.freeKeys()) {
                section.text(name).ifPresent(value -> texts.put(name, value));
              }
            });
    return texts;
  }

  Optional<Section> section(String key) {
    asked(key, new Question.Keys());
    Node value = value(key);
    if (value == null) {
      return Optional.empty();
    }
    if (value instanceof Node.Mapping found) {
      return Optional.of(new Section(found, path(key), reading));
    }
    problem(key, "must be a map of keys, but is " + value.kind());
    return Optional.empty();
  }

  /** The section of that key; an empty one when it is absent or no map, which is told. */
  Section sectionOrEmpty(String key) {
    return section(key)
        .orElseGet(() -> new Section(new Node.Mapping(Map.of(), line(key)), path(key), reading));
  }

  /** True when the value is a map of keys. */
  boolean isSection(String key) {
    Node.Entry entry = mapping.entries().get(key);
    return entry != null && entry.value() instanceof Node.Mapping;
  }

  private void asked(String key, Question question) {
    reading.listener().asked(path(key), question);
  }

  private List<Node.Scalar> items(String key) {
    Node value = value(key);
    List<Node.Scalar> items = new ArrayList<>();
    if (value instanceof Node.Sequence list) {
      for (Node item : list.items()) {
        if (item instanceof Node.Scalar scalar && !scalar.isMissing()) {
          items.add(scalar);
        } else if (!(item instanceof Node.Refused)) {
          reading.problems().add(item.line(), path(key), "an item is " + item.kind());
        }
      }
    } else if (value != null) {
      problem(key, "must be a list like [a, b], but is " + value.kind());
    }
    return items;
  }

  private Optional<Node.Scalar> scalar(String key) {
    Node value = value(key);
    if (value == null) {
      return Optional.empty();
    }
    if (value instanceof Node.Scalar found) {
      return Optional.of(found);
    }
    problem(key, "must be a single value, but is " + value.kind());
    return Optional.empty();
  }

  private @Nullable Node value(String key) {
    known.add(key);
    Node.Entry entry = mapping.entries().get(key);
    if (entry == null || entry.value() instanceof Node.Refused) {
      return null;
    }
    if (entry.value() instanceof Node.Scalar scalar && scalar.isMissing()) {
      problem(key, "has no value; give one, or remove the key");
      return null;
    }
    return entry.value();
  }

  private String resolved(Node.Scalar scalar, String key) {
    return reading.placeholders().resolve(scalar.text(), scalar.line(), path(key));
  }

  /** The value as the file has it: what a variable holds may be secret. */
  private String seen(String key) {
    return quoted(raw(key).orElse(""));
  }

  private static String outside(String seen, String min, String max) {
    return seen + " is out of range; it must lie between " + min + " and " + max;
  }

  private static String quoted(String text) {
    return "\"" + text + "\"";
  }
}
