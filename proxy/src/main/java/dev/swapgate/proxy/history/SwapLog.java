package dev.swapgate.proxy.history;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.core.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Puts views and job ends together to swaps. No clock, no thread of its own. */
final class SwapLog {

  /** Steps kept of one swap: a day of failing restores has more, and they say nothing new. */
  private static final int MOST_STEPS = 300;

  private static final int MOST_JOBS = 1000;

  /** A swap that is first seen older than this began before this process did. */
  private static final Duration SEEN_BEGINNING = Duration.ofSeconds(5);

  private Optional<Serving> lastServing = Optional.empty();
  private @Nullable Open open;

  private static final class Open {
    final Instant since;
    final Duration sinceSteady;
    final Optional<Serving> from;
    final Optional<Duration> expected;
    final List<Stretch> steps = new ArrayList<>();
    final Map<String, SwapRecord.JobLine> jobs = new LinkedHashMap<>();

    Open(GateView.Swap swap, Optional<Serving> from, Optional<Duration> expected) {
      this.since = swap.since();
      this.sinceSteady = swap.sinceSteady();
      this.from = from;
      this.expected = expected;
    }
  }

  private record Serving(Backend.Id engine, Instant since) {}

  private record Stretch(
      Phase phase, Optional<Backend.Id> owner, Duration began, Duration ended, long freeMib) {
    Stretch until(Duration at, long free) {
      return new Stretch(phase, owner, began, at, free < 0 ? freeMib : free);
    }
  }

  /** The gate stands like this now; the swap that is over by it, if one is. */
  Optional<SwapRecord> seen(GateView view, ChatTally.Count chat, Now now) {
    Optional<SwapRecord> over = Optional.empty();
    Open ending = open;
    if (view.swap().isEmpty() && ending != null) {
      if (!ending.steps.isEmpty()) {
        ending.steps.add(ending.steps.removeLast().until(now.steady(), -1));
      }
      over = Optional.of(record(ending, true, view.owner(), chat, now));
      open = null;
    }
    view.swap().ifPresent(swap -> step(swap, view, now));
    if (view.chatOpen() && !lastServing.map(Serving::engine).equals(view.owner())) {
      lastServing = view.owner().map(engine -> new Serving(engine, now.wall()));
    } else if (over.isPresent()) {
      lastServing = lastServing.map(last -> new Serving(last.engine(), now.wall()));
    }
    return over;
  }

  private void step(GateView.Swap swap, GateView view, Now now) {
    Open current = open;
    if (current == null) {
      boolean beginning = now.steady().minus(swap.sinceSteady()).compareTo(SEEN_BEGINNING) <= 0;
      current =
          new Open(
              swap,
              lastServing,
              beginning ? Optional.of(view.outlook().left(now)) : Optional.empty());
      open = current;
    }
    // Read again and again while it is proven free; in other phases the last reading may be old.
    long free = view.phase() == Phase.FREEING ? view.card().freeMib() : -1;
    List<Stretch> steps = current.steps;
    if (!steps.isEmpty()) {
      Stretch last = steps.removeLast();
      steps.add(last.until(now.steady(), same(last, view) ? free : -1));
      if (same(last, view) || steps.size() >= MOST_STEPS) {
        return;
      }
    }
    steps.add(new Stretch(view.phase(), view.owner(), now.steady(), now.steady(), free));
  }

  private static boolean same(Stretch last, GateView view) {
    return last.phase() == view.phase() && last.owner().equals(view.owner());
  }

  void ended(JobEnds.End end) {
    if (open != null && open.jobs.size() < MOST_JOBS) {
      String word = end.state().name().toLowerCase(Locale.ROOT);
      open.jobs.put(end.job(), new SwapRecord.JobLine(end.job(), end.backend(), word));
    }
  }

  /** The swap under way, as far as it has come. */
  Optional<SwapRecord> underWay(ChatTally.Count chat, Now now) {
    return open == null
        ? Optional.empty()
        : Optional.of(record(open, false, Optional.empty(), chat, now));
  }

  private static SwapRecord record(
      Open open, boolean over, Optional<Backend.Id> to, ChatTally.Count chat, Now now) {
    Duration took = now.steady().minus(open.sinceSteady);
    return new SwapRecord(
        open.since.toString(),
        over ? now.wall().toString() : null,
        seconds(took),
        open.expected.map(SwapLog::seconds).orElse(null),
        over ? open.expected.map(told -> seconds(told.minus(took))).orElse(null) : null,
        open.from.map(last -> last.engine().value()).orElse(null),
        open.from.map(last -> last.since().toString()).orElse(null),
        to.map(Backend.Id::value).orElse(null),
        open.expected.isPresent(),
        open.steps.stream().map(step -> step(open, step)).toList(),
        List.copyOf(open.jobs.values()),
        chat(chat));
  }

  private static SwapRecord.Step step(Open open, Stretch step) {
    return new SwapRecord.Step(
        step.phase().word(),
        step.owner().map(Backend.Id::value).orElse(null),
        seconds(step.began().minus(open.sinceSteady)),
        seconds(step.ended().minus(step.began())),
        step.freeMib() < 0 ? null : step.freeMib());
  }

  private static SwapRecord.Chat chat(ChatTally.Count count) {
    List<ChatTally.Miss> misses =
        count.misses().stream()
            .sorted((one, other) -> one.tooLong().compareTo(other.tooLong()))
            .toList();
    long told = misses.stream().mapToLong(ChatTally.Miss::requests).sum();
    Duration worst = misses.isEmpty() ? Duration.ZERO : misses.getFirst().tooLong();
    return new SwapRecord.Chat(
        count.refused(),
        count.held(),
        told,
        median(misses, told),
        worst.isNegative() ? seconds(worst.negated()) : 0);
  }

  private static @Nullable Double median(List<ChatTally.Miss> sorted, long told) {
    long before = 0;
    for (ChatTally.Miss miss : sorted) {
      before += miss.requests();
      if (before * 2 >= told) {
        return seconds(miss.tooLong());
      }
    }
    return null;
  }

  /** To a tenth: the gate looks once a second. */
  private static double seconds(Duration length) {
    return Math.round(length.toMillis() / 100.0) / 10.0;
  }
}
