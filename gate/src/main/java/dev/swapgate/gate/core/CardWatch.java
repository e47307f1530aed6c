package dev.swapgate.gate.core;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The proof that the card is free: enough memory <em>and</em> no longer changing. Engines abort
 * when free memory moves during their start. Not thread-safe; belongs to the gate's loop.
 */
public final class CardWatch {

  /** Samples that must agree (DESIGN 2.3). */
  public static final int SAMPLES = 3;

  /** MiB within which samples count as flat, and by which the baseline may be missed. */
  public static final long TOLERANCE_MIB = 64;

  /** Time between two samples while the proof is sought. */
  public static final Duration INTERVAL = Duration.ofMillis(250);

  /** Time between two readings once the release budget is over. */
  public static final Duration SLOW_INTERVAL = Duration.ofSeconds(5);

  /** A proof older than this is sought again before anything is started. */
  public static final Duration GOOD_FOR = Duration.ofSeconds(5);

  private record Timed(CardReading.Sample sample, Duration asked) {}

  private final Deque<Timed> samples = new ArrayDeque<>();
  private OptionalLong baseline;
  private boolean everRead;

  /** There never was a tool on this machine: the container proof alone counts. */
  private boolean noTool;

  private String trouble = "";
  private Optional<Duration> lastAsked = Optional.empty();
  private Optional<Duration> seekingSince = Optional.empty();

  /**
   * @param baseline MiB free on the empty card, as remembered; empty until known
   */
  public CardWatch(OptionalLong baseline) {
    this.baseline = baseline;
  }

  public void measured(CardReading reading, Duration asked) {
    lastAsked = Optional.of(asked);
    switch (reading) {
      case CardReading.Sample sample -> {
        everRead = true;
        noTool = false;
        trouble = "";
        samples.addLast(new Timed(sample, asked));
        if (samples.size() > SAMPLES) {
          samples.removeFirst();
        }
      }
      case CardReading.Failed failed -> {
        samples.clear();
        trouble = failed.reason();
      }
      case CardReading.NoTool none -> {
        samples.clear();
        trouble = none.reason();
        // A tool that was there and is gone is a reading that failed, never "free".
        noTool = !everRead;
      }
    }
  }

  /**
   * True when the last samples, all asked after {@code dirty}, are enough and flat, and no process
   * of a container of ours is listed: while the baseline is unknown, a predecessor that still holds
   * its memory looks as flat as an empty card.
   */
  public boolean isProven(OptionalLong vramMib, Duration dirty, Sightings sightings, Now now) {
    if (noTool) {
      return lastAsked.map(at -> at.compareTo(dirty) > 0).orElse(false);
    }
    List<Timed> fresh = fresh(dirty);
    return fresh.size() == SAMPLES
        && isFlat(fresh)
        && !isHeldByOurs(sightings)
        && now.steady().minus(fresh.getLast().asked()).compareTo(GOOD_FOR) <= 0
        && fresh.stream().allMatch(one -> one.sample().freeMib() >= needed(vramMib));
  }

  /**
   * Learns the empty card's baseline from the last samples: the highest flat reading with all our
   * containers down.
   *
   * @return the new baseline when it rose
   */
  public OptionalLong learnBaseline(Duration dirty, Sightings sightings) {
    List<Timed> fresh = fresh(dirty);
    if (fresh.size() < SAMPLES || !isFlat(fresh) || isHeldByOurs(sightings)) {
      return OptionalLong.empty();
    }
    long lowest = fresh.stream().mapToLong(one -> one.sample().freeMib()).min().orElseThrow();
    if (baseline.isPresent() && baseline.getAsLong() >= lowest) {
      return OptionalLong.empty();
    }
    baseline = OptionalLong.of(lowest);
    return baseline;
  }

  /** MiB that must be free; 0 while neither asked for nor learned. */
  public long needed(OptionalLong vramMib) {
    return vramMib.orElse(Math.max(0, baseline.orElse(TOLERANCE_MIB) - TOLERANCE_MIB));
  }

  private List<Timed> fresh(Duration dirty) {
    return samples.stream().filter(one -> one.asked().compareTo(dirty) > 0).toList();
  }

  private static boolean isFlat(List<Timed> fresh) {
    long low = fresh.stream().mapToLong(one -> one.sample().freeMib()).min().orElse(0);
    long high = fresh.stream().mapToLong(one -> one.sample().freeMib()).max().orElse(0);
    return high - low <= TOLERANCE_MIB;
  }

  /** The last good sample, if the last reading was good. */
  public Optional<CardReading.Sample> last() {
    return Optional.ofNullable(samples.peekLast()).map(Timed::sample);
  }

  public Optional<Duration> lastAsked() {
    return lastAsked;
  }

  /** Since when the proof is sought without success. */
  public Optional<Duration> seekingSince() {
    return seekingSince;
  }

  /** The proof is sought from this moment on, unless it is sought already. */
  public void seek(Now now) {
    seekingSince = seekingSince.or(() -> Optional.of(now.steady()));
  }

  /** The proof was had, or is not asked for any more. */
  public void rest() {
    seekingSince = Optional.empty();
  }

  /** Who holds the card, for people: pid, name and MiB of each process, containers by our names. */
  public String holders(Sightings sightings) {
    Optional<CardReading.Sample> seen = last();
    if (seen.isEmpty()) {
      return trouble.isEmpty() ? "the card has not been read yet" : "the card: " + trouble;
    }
    List<String> words = new ArrayList<>();
    for (CardReading.Holder holder : seen.get().holders()) {
      String container =
          holder.containerId().isEmpty()
              ? "no container"
              : sightings
                  .ownerOf(holder.containerId())
                  .map(id -> "container of " + id)
                  .orElse("container " + shorten(holder.containerId()));
      words.add(
          "pid "
              + holder.pid()
              + " ("
              + holder.name()
              + ", "
              + container
              + ") "
              + holder.mib()
              + " MiB");
    }
    if (words.isEmpty()) {
      return "no process is listed, yet only "
          + seen.get().freeMib()
          + " MiB of "
          + seen.get().totalMib()
          + " MiB are free: a leftover of the driver; try "
          + "'fuser -v /dev/nvidia*', else a GPU reset or a reboot";
    }
    return String.join(", ", words);
  }

  /** True when a process of one of our containers holds memory. */
  public boolean isHeldByOurs(Sightings sightings) {
    return last().stream()
        .flatMap(sample -> sample.holders().stream())
        .anyMatch(holder -> sightings.ownerOf(holder.containerId()).isPresent());
  }

  private static String shorten(String id) {
    return id.length() > 12 ? id.substring(0, 12) : id;
  }
}
