package dev.swapgate.backends.sim;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What happened on the card, one line each, only ever added to. Tests assert from it that no claim
 * failed and that the card never had two owners.
 */
public final class CardJournal {

  /** The kinds of line. */
  public enum Event {
    /** A process got its first memory. */
    CLAIM,
    /** A claim became larger. */
    GROW,
    /** A claim became smaller. */
    SHRINK,
    /** A claim or its growth was refused, or free memory rose under a loading engine. */
    FAILED,
    /** The owner of a claim was first seen dead; its memory is still held. */
    DIED,
    /** The memory came back. */
    RELEASED
  }

  /**
   * One line.
   *
   * @param wallMillis when, since the epoch
   * @param mib the size of the claim; for {@link Event#FAILED} the size asked for
   * @param freeMib what was free afterwards
   */
  public record Entry(long wallMillis, Event event, Holder holder, int mib, int freeMib) {

    String line() {
      return "%d %s who=%s pid=%d container=%s mib=%d free=%d%n"
          .formatted(
              wallMillis,
              event.name().toLowerCase(Locale.ROOT),
              holder.who(),
              holder.pid(),
              holder.container().isEmpty() ? "-" : holder.container(),
              mib,
              freeMib);
    }

    static Entry parse(String line) {
      String[] words = line.split(" ", -1);
      Map<String, String> fields = new LinkedHashMap<>();
      for (int i = 2; i < words.length; i++) {
        int equals = words[i].indexOf('=');
        fields.put(words[i].substring(0, equals), words[i].substring(equals + 1));
      }
      String container = field(fields, "container");
      return new Entry(
          Long.parseLong(words[0]),
          Event.valueOf(words[1].toUpperCase(Locale.ROOT)),
          new Holder(
              field(fields, "who"),
              Long.parseLong(field(fields, "pid")),
              container.equals("-") ? "" : container),
          Integer.parseInt(field(fields, "mib")),
          Integer.parseInt(field(fields, "free")));
    }

    private static String field(Map<String, String> fields, String name) {
      return fields.getOrDefault(name, "");
    }
  }

  private final Path file;

  CardJournal(Path directory) {
    this.file = directory.resolve("journal");
  }

  /** The journal of the card in this directory; readable at any time, by any process. */
  public static CardJournal of(Path card) {
    return new CardJournal(card);
  }

  /** All lines so far, oldest first; empty when nothing happened yet. */
  public List<Entry> entries() {
    if (!Files.exists(file)) {
      return List.of();
    }
    try {
      return Files.readAllLines(file).stream().map(Entry::parse).toList();
    } catch (IOException e) {
      throw new CardException("could not read the card's journal " + file, e);
    }
  }

  public List<Entry> failedClaims() {
    return entries().stream().filter(entry -> entry.event() == Event.FAILED).toList();
  }

  /**
   * The claims that were made while somebody else's was still held: each is a moment with two
   * owners. Strangers named here are not counted.
   */
  public List<Entry> overlaps(String... strangers) {
    List<String> ignored = List.of(strangers);
    List<Holder> holding = new ArrayList<>();
    List<Entry> overlaps = new ArrayList<>();
    for (Entry entry : entries()) {
      if (ignored.contains(entry.holder().who())) {
        continue;
      }
      switch (entry.event()) {
        case CLAIM -> {
          if (!holding.isEmpty()) {
            overlaps.add(entry);
          }
          holding.add(entry.holder());
        }
        case RELEASED -> holding.remove(entry.holder());
        case GROW, SHRINK, FAILED, DIED -> {
          continue;
        }
      }
    }
    return overlaps;
  }

  void add(Event event, Holder holder, int mib, int freeMib) {
    Entry entry = new Entry(System.currentTimeMillis(), event, holder, mib, freeMib);
    boolean isNew = !Files.exists(file);
    try {
      Files.writeString(file, entry.line(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new CardException("could not write the card's journal " + file, e);
    }
    if (isNew) {
      CardMutex.shareWithEveryone(file);
    }
  }
}
