package dev.swapgate.gate.core;

import dev.swapgate.gate.core.ContainerSighting.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What was asked of the containers, when, and how it ended: the last command of each verb to each
 * backend. Not thread-safe; belongs to the gate's loop.
 */
public final class Attempts {

  /** Two looks that agree on "down" after an unknown start must be this far apart (DESIGN 2). */
  public static final Duration LATE_EFFECT = Duration.ofSeconds(15);

  /**
   * One command.
   *
   * @param run the run it was meant for, where one was seen
   * @param sent steady time
   * @param sentAt wall time
   * @param grace for a stop: the grace period that was asked for
   * @param deadline steady time at which its end becomes unknown
   * @param ended steady time of its end
   * @param settled true when nothing of it can still come
   * @param agree the first of two looks that must agree
   * @param accounted true when its failure has been counted
   */
  public record Attempt(
      long number,
      Backend.Id backend,
      Note.Verb verb,
      Optional<Run> run,
      Duration sent,
      Instant sentAt,
      Duration grace,
      Duration deadline,
      Optional<CommandEnd> end,
      Optional<Duration> ended,
      boolean settled,
      Optional<Agree> agree,
      boolean accounted) {

    /** A look that a second one must confirm. */
    public record Agree(boolean down, Duration asked, Duration answered) {}

    public boolean isUnderWay() {
      return end.isEmpty();
    }

    private static Attempt sent(
        long number,
        Backend.Id backend,
        Note.Verb verb,
        Optional<Run> run,
        Duration sent,
        Instant sentAt,
        Duration grace,
        Duration deadline) {
      return new Attempt(
          number,
          backend,
          verb,
          run,
          sent,
          sentAt,
          grace,
          deadline,
          Optional.empty(),
          Optional.empty(),
          false,
          Optional.empty(),
          false);
    }

    Attempt endedWith(CommandEnd how, Duration at) {
      boolean certain = !(how instanceof CommandEnd.Unknown);
      boolean settles = verb == Note.Verb.START && certain;
      return with(Optional.of(how), Optional.of(at), settles, Optional.empty(), accounted);
    }

    Attempt withAgree(Optional<Agree> first, boolean nowSettled) {
      return with(end, ended, nowSettled, first, accounted);
    }

    Attempt withAccounted() {
      return with(end, ended, settled, agree, true);
    }

    /** The same command; only what became of it differs. */
    private Attempt with(
        Optional<CommandEnd> newEnd,
        Optional<Duration> newEnded,
        boolean newSettled,
        Optional<Agree> newAgree,
        boolean newAccounted) {
      return new Attempt(
          number,
          backend,
          verb,
          run,
          sent,
          sentAt,
          grace,
          deadline,
          newEnd,
          newEnded,
          newSettled,
          newAgree,
          newAccounted);
    }

    public Note note() {
      return new Note(backend, verb, number, run, sentAt, end);
    }
  }

  private final Map<Backend.Id, Map<Note.Verb, Attempt>> last = new HashMap<>();
  private Optional<Attempt> underWay = Optional.empty();
  private long lastNumber;

  /**
   * Takes up what an earlier process noted: a command without an end is unknown, from now on.
   *
   * @param startBudget how long a start of that backend may take
   * @param grace what is waited for a stop before it is followed by a kill
   */
  public void remember(
      Collection<Note> notes, Function<Backend.Id, Duration> startBudget, Duration grace, Now now) {
    for (Note note : notes) {
      lastNumber = Math.max(lastNumber, note.attempt());
      CommandEnd end =
          note.end()
              .orElseGet(() -> new CommandEnd.Unknown("swapgate ended before it was answered"));
      Attempt attempt =
          Attempt.sent(
              note.attempt(),
              note.backend(),
              note.verb(),
              note.run(),
              now.steady(),
              note.sentAt(),
              grace,
              deadline(note, startBudget.apply(note.backend()), now));
      put(attempt.endedWith(end, now.steady()).withAccounted());
    }
  }

  /** Docker may carry a start out as long as its budget lasts, whether or not we still wait. */
  private static Duration deadline(Note note, Duration budget, Now now) {
    if (note.verb() != Note.Verb.START) {
      return now.steady();
    }
    Duration left = budget.minus(Duration.between(note.sentAt(), now.wall()));
    if (left.isNegative()) {
      return now.steady();
    }
    // A wall clock that was set back must not make it wait for longer than the whole budget.
    return now.steady().plus(left.compareTo(budget) < 0 ? left : budget);
  }

  /** Notes a command that is about to be sent. */
  public Attempt send(
      Backend.Id backend,
      Note.Verb verb,
      Optional<Run> run,
      Duration grace,
      Duration budget,
      Now now) {
    Attempt attempt =
        Attempt.sent(
            ++lastNumber,
            backend,
            verb,
            run,
            now.steady(),
            now.wall(),
            grace,
            now.steady().plus(budget));
    put(attempt);
    return attempt;
  }

  /**
   * A command ended. The end of one that is over already (its deadline passed) changes nothing.
   *
   * @return the attempt as it stands now; empty when it was over or is unknown
   */
  public Optional<Attempt> ended(long number, CommandEnd end, Now now) {
    Optional<Attempt> found = underWay.filter(one -> one.number() == number);
    Optional<Attempt> over = found.map(one -> one.endedWith(end, now.steady()));
    over.ifPresent(this::put);
    return over;
  }

  /** The command under way, if any; at most one is. */
  public Optional<Attempt> underWay() {
    return underWay;
  }

  public Optional<Attempt> last(Backend.Id backend, Note.Verb verb) {
    return Optional.ofNullable(last.getOrDefault(backend, Map.of()).get(verb));
  }

  /** Steady time at which the last command to that container ended; looks must be asked later. */
  public Duration lastEnd(Backend.Id backend) {
    Duration latest = Duration.ofSeconds(-1);
    for (Attempt one : last.getOrDefault(backend, Map.of()).values()) {
      if (one.ended().isPresent() && one.ended().get().compareTo(latest) > 0) {
        latest = one.ended().get();
      }
    }
    return latest;
  }

  /** True when a stop or kill of ours was sent to this run. */
  public boolean wasOrderedDown(Backend.Id backend, Run run) {
    return last(backend, Note.Verb.STOP).filter(one -> meant(one, run)).isPresent()
        || last(backend, Note.Verb.KILL).filter(one -> meant(one, run)).isPresent();
  }

  /** True when that stop or kill was sent to this run, or, its run unknown, after its start. */
  static boolean meant(Attempt order, Run run) {
    return order
        .run()
        .map(target -> target.equals(run))
        .orElse(!run.startedAt().isAfter(order.sentAt()));
  }

  /** True when the end of any command to it is unknown and not settled. */
  public boolean isUnsettled(Backend.Id backend) {
    for (Attempt one : last.getOrDefault(backend, Map.of()).values()) {
      if (one.end().isPresent() && !one.settled()) {
        return true;
      }
    }
    return false;
  }

  /**
   * True when this run began by our own start: the last one sent precedes its StartedAt by less
   * than the start budget, or nobody knows yet how that start ended.
   */
  public boolean isOurs(Backend.Id backend, Run run, Duration startBudget) {
    return last(backend, Note.Verb.START)
        .map(
            start -> {
              Duration after = Duration.between(start.sentAt(), run.startedAt());
              boolean within =
                  !after.plus(CLOCK_SLACK).isNegative() && after.compareTo(startBudget) < 0;
              return within || (!start.settled() && !after.plus(CLOCK_SLACK).isNegative());
            })
        .orElse(false);
  }

  /** Docker stamps StartedAt by the same clock as ours, but reads it at another moment. */
  private static final Duration CLOCK_SLACK = Duration.ofSeconds(1);

  /** What a fresh look says about the commands to that container. */
  public void looked(Backend.Id backend, Sightings.Look look) {
    Map<Note.Verb, Attempt> verbs = last.getOrDefault(backend, Map.of());
    for (Attempt attempt : Map.copyOf(verbs).values()) {
      boolean open = attempt.end().isPresent() && !attempt.settled();
      if ((open || mayStillCome(attempt, look))
          && attempt.ended().map(at -> look.asked().compareTo(at) > 0).orElse(false)) {
        put(attempt.verb() == Note.Verb.START ? start(attempt, look) : order(attempt, look));
      }
    }
  }

  /**
   * An unknown start that was settled by a run, which is over already: somebody else may have begun
   * that run, and ours may still take effect.
   */
  private static boolean mayStillCome(Attempt attempt, Sightings.Look look) {
    return attempt.verb() == Note.Verb.START
        && attempt.end().filter(CommandEnd.Unknown.class::isInstance).isPresent()
        && attempt.agree().filter(one -> !one.down()).isPresent()
        && look.seen().isDown()
        && look.asked().compareTo(attempt.deadline().plus(LATE_EFFECT)) < 0;
  }

  /** An unknown start: two looks must agree, on "down" far enough apart for a late effect. */
  private static Attempt start(Attempt attempt, Sightings.Look look) {
    boolean down = look.seen().isDown();
    Optional<Attempt.Agree> first = attempt.agree().filter(one -> one.down() == down);
    if (first.isEmpty()) {
      return attempt.withAgree(
          Optional.of(new Attempt.Agree(down, look.asked(), look.answered())), false);
    }
    Duration earliest = down ? latest(first.get(), attempt) : first.get().answered();
    return look.asked().compareTo(earliest) >= 0 ? attempt.withAgree(first, true) : attempt;
  }

  /** When a start that has not shown by then will not come any more. */
  private static Duration latest(Attempt.Agree first, Attempt attempt) {
    Duration from =
        first.asked().compareTo(attempt.deadline()) >= 0 ? first.asked() : attempt.deadline();
    return from.plus(LATE_EFFECT);
  }

  /** A stop or kill: settled once it is down, or once a newer run shows after its deadline. */
  private static Attempt order(Attempt attempt, Sightings.Look look) {
    if (look.seen().isDown()) {
      return attempt.withAgree(Optional.empty(), true);
    }
    boolean newer = look.seen().run().map(run -> !meant(attempt, run)).orElse(false);
    boolean certain = !(attempt.end().orElseThrow() instanceof CommandEnd.Unknown);
    boolean late = look.asked().compareTo(attempt.deadline()) > 0;
    return newer && (certain || late) ? attempt.withAgree(Optional.empty(), true) : attempt;
  }

  /** The failure of that start has been counted. */
  public void account(Backend.Id backend) {
    last(backend, Note.Verb.START).map(Attempt::withAccounted).ifPresent(this::put);
  }

  private void put(Attempt attempt) {
    last.computeIfAbsent(attempt.backend(), id -> new EnumMap<>(Note.Verb.class))
        .put(attempt.verb(), attempt);
    boolean same = underWay.map(one -> one.number() == attempt.number()).orElse(true);
    if (same) {
      underWay = attempt.isUnderWay() ? Optional.of(attempt) : Optional.empty();
    }
  }
}
