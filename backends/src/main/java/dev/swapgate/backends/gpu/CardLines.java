package dev.swapgate.backends.gpu;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Reads the tool's CSV lines, which may hold {@code [N/A]} or a sentence instead of numbers. */
final class CardLines {
  private CardLines() {}

  /** One card of the list; memory is empty where the tool tells none. */
  record Line(int index, String uuid, String name, OptionalLong totalMib, OptionalLong freeMib) {}

  /** One process of the list. */
  record App(String cardUuid, int pid, long mib, String name) {}

  /** The line's card: {@code index, uuid, name, total, used, free}; empty when it is none. */
  static Optional<Line> card(String line) {
    String[] parts = line.split(",", -1);
    OptionalLong index = number(parts[0]);
    if (parts.length < 6 || index.isEmpty()) {
      return Optional.empty();
    }
    // A name may hold a comma: it is whatever stands between the fields on both sides.
    int last = parts.length - 1;
    String name = String.join(",", List.of(parts).subList(2, last - 2)).strip();
    return Optional.of(
        new Line(
            (int) index.getAsLong(),
            parts[1].strip(),
            name,
            number(parts[last - 2]),
            number(parts[last])));
  }

  /** The line's process: {@code uuid, pid, MiB[, name]}; empty when it is none. */
  static Optional<App> app(String line) {
    String[] parts = line.split(",", 4);
    if (parts.length < 3) {
      return Optional.empty();
    }
    OptionalLong pid = number(parts[1]);
    if (pid.isEmpty()) {
      return Optional.empty();
    }
    String name = parts.length > 3 ? parts[3].strip() : "";
    return Optional.of(
        new App(parts[0].strip(), (int) pid.getAsLong(), number(parts[2]).orElse(0), name));
  }

  /** The card meant: by uuid, by index, else the one with the most memory. */
  static Optional<Line> chosen(List<Line> cards, OptionalInt index, Optional<String> uuid) {
    if (uuid.isPresent()) {
      return cards.stream().filter(card -> sameUuid(card.uuid(), uuid.get())).findFirst();
    }
    if (index.isPresent()) {
      return cards.stream().filter(card -> card.index() == index.getAsInt()).findFirst();
    }
    return cards.stream().max(Comparator.comparingLong(card -> card.totalMib().orElse(-1)));
  }

  private static boolean sameUuid(String told, String wanted) {
    return bare(told).equals(bare(wanted));
  }

  private static String bare(String uuid) {
    String lower = uuid.strip().toLowerCase(Locale.ROOT);
    return lower.startsWith("gpu-") ? lower.substring(4) : lower;
  }

  static String listed(List<Line> cards) {
    return cards.stream()
        .map(card -> card.index() + " " + card.name() + " " + card.uuid())
        .collect(Collectors.joining("; "));
  }

  private static OptionalLong number(String text) {
    String bare = text.strip();
    if (bare.isEmpty() || bare.length() > 15 || !bare.chars().allMatch(Character::isDigit)) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(Long.parseLong(bare));
  }

  static String cut(String line) {
    return line.length() <= 200 ? line : line.substring(0, 200) + "…";
  }
}
