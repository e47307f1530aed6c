package dev.swapgate.gate.runtime;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Box;
import dev.swapgate.gate.core.CardWatch;
import dev.swapgate.gate.core.ContainerSighting.Run;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobQueue;
import dev.swapgate.gate.core.Lease;
import dev.swapgate.gate.core.LeaseTerms;
import dev.swapgate.gate.core.Note;
import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.core.Situation;
import dev.swapgate.gate.core.Spared;
import dev.swapgate.gate.core.StepTimes;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an earlier process left behind, and how it is read. The keys of the store's settings stand
 * here and nowhere else.
 *
 * @param jobs those that are not final, oldest first
 * @param notes the last commands
 */
public record Memory(
    List<Job> jobs, List<StepTimes.Sample> times, Map<String, String> settings, List<Note> notes) {

  private static final Logger LOG = LoggerFactory.getLogger(Memory.class);

  static final String SELECTED = "selected";
  static final String SELECTED_FILE = "selected_file";
  static final String MAINTENANCE = "maintenance";
  static final String SWAP_SINCE = "swap_since";
  static final String BASELINE = "card_baseline_mib";
  static final String LEASES = "leases";
  static final String CANCELLING = "cancelling";
  static final String SPARED = "spared";

  /** What a stop of an earlier process is given before it is followed by a kill. */
  private static final Duration REMEMBERED_GRACE = Duration.ofSeconds(30);

  public Memory {
    jobs = List.copyOf(jobs);
    times = List.copyOf(times);
    settings = Map.copyOf(settings);
    notes = List.copyOf(notes);
  }

  /** A first start. */
  public static Memory none() {
    return new Memory(List.of(), List.of(), Map.of(), List.of());
  }

  /** The situation this process begins in. */
  Situation situation(Box box, Now now) {
    CardWatch card = new CardWatch(baseline());
    Situation s =
        new Situation(box, selected(box), card, new JobQueue(jobs, now), new StepTimes(times));
    s.attempts()
        .remember(
            notes.stream().filter(note -> knows(box, note)).toList(),
            id -> box.backend(id).budgets().start(),
            REMEMBERED_GRACE,
            now);
    Optional.ofNullable(settings.get(MAINTENANCE))
        .ifPresent(
            why -> s.maintenance(Optional.of(new Situation.Maintenance(why, isByHand(why)))));
    swapSince()
        .ifPresent(since -> s.swap(Optional.of(new Situation.Swap(steady(since, now), since))));
    leases(box, now).forEach(s.leases()::add);
    stillAtWork(s);
    spared().ifPresent(s::spared);
    return s;
  }

  static String encode(Spared spared) {
    return spared.job() + "|" + spared.times();
  }

  private Optional<Spared> spared() {
    String[] parts = settings.getOrDefault(SPARED, "").split("\\|", -1);
    return parts.length == 2 && parts[1].matches("[0-9]{1,3}")
        ? Optional.of(new Spared(new Job.Id(parts[0]), Integer.parseInt(parts[1])))
        : Optional.empty();
  }

  static String cancelling(Job.Id job, Backend.Id media, Run server) {
    return String.join("|", job.value(), media.value(), server.startedAt().toString(), server.id());
  }

  /**
   * A run of a media server that an earlier process had not yet made let go of a cancelled job must
   * be stopped before it is used; a later run of that server knows nothing of the job.
   */
  private void stillAtWork(Situation s) {
    String[] parts = settings.getOrDefault(CANCELLING, "").split("\\|", -1);
    if (parts.length != 4 || jobs.stream().anyMatch(job -> job.id().value().equals(parts[0]))) {
      return;
    }
    try {
      Run run = new Run(parts[3], Instant.parse(parts[2]));
      s.condemned().put(new Backend.Id(parts[1]), run);
    } catch (DateTimeParseException e) {
      LOG.warn("the setting {} is not readable and is left out: {}", CANCELLING, e.getMessage());
    }
  }

  private static boolean knows(Box box, Note note) {
    return box.backends().stream().anyMatch(one -> one.id().equals(note.backend()));
  }

  static boolean isByHand(String why) {
    return why.contains("by hand");
  }

  /** A changed file value beats the remembered one. */
  private Backend.Id selected(Box box) {
    boolean fileChanged =
        !box.selected()
            .value()
            .equals(settings.getOrDefault(SELECTED_FILE, box.selected().value()));
    return Optional.ofNullable(settings.get(SELECTED))
        .filter(name -> !fileChanged)
        .map(Backend.Id::new)
        .filter(id -> box.engine(id).isPresent())
        .orElse(box.selected());
  }

  private OptionalLong baseline() {
    String text = settings.getOrDefault(BASELINE, "");
    return text.matches("[0-9]{1,12}")
        ? OptionalLong.of(Long.parseLong(text))
        : OptionalLong.empty();
  }

  private Optional<Instant> swapSince() {
    return Optional.ofNullable(settings.get(SWAP_SINCE)).flatMap(Memory::millis);
  }

  private static Optional<Instant> millis(String text) {
    return text.matches("[0-9]{1,15}")
        ? Optional.of(Instant.ofEpochMilli(Long.parseLong(text)))
        : Optional.empty();
  }

  private static Duration steady(Instant at, Now now) {
    return now.steady().plus(Duration.between(now.wall(), at));
  }

  private List<Lease> leases(Box box, Now now) {
    return settings
        .getOrDefault(LEASES, "")
        .lines()
        .map(line -> line.split("\\|", -1))
        .filter(parts -> parts.length == 4 || parts.length == 6)
        .filter(parts -> millis(parts[2]).isPresent())
        .filter(parts -> parts[1].isEmpty() || box.media(new Backend.Id(parts[1])).isPresent())
        .map(parts -> lease(parts, now))
        .filter(lease -> lease.until().compareTo(now.steady()) > 0)
        .toList();
  }

  private static Lease lease(String[] parts, Now now) {
    Instant until = millis(parts[2]).orElseThrow();
    Optional<Backend.Id> backend =
        parts[1].isEmpty() ? Optional.empty() : Optional.of(new Backend.Id(parts[1]));
    return new Lease(
        parts[0],
        backend,
        steady(until, now),
        until,
        Boolean.parseBoolean(parts[3]),
        parts.length == 4 ? LeaseTerms.PLAIN : terms(parts[4], parts[5]),
        // While no swapgate ran nobody could be heard.
        now.steady());
  }

  private static LeaseTerms terms(String heartbeat, String yields) {
    return new LeaseTerms(
        heartbeat.matches("[1-9][0-9]{0,11}")
            ? Optional.of(Duration.ofMillis(Long.parseLong(heartbeat)))
            : Optional.empty(),
        Boolean.parseBoolean(yields));
  }

  static String encode(List<Lease> leases) {
    return leases.stream()
        .map(
            lease ->
                String.join(
                    "|",
                    lease.id(),
                    lease.backend().map(Backend.Id::value).orElse(""),
                    Long.toString(lease.untilAt().toEpochMilli()),
                    Boolean.toString(lease.byHand()),
                    lease.terms().heartbeat().map(one -> "" + one.toMillis()).orElse(""),
                    Boolean.toString(lease.terms().yields())))
        .collect(Collectors.joining("\n"));
  }
}
