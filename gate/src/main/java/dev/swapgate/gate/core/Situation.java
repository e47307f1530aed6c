package dev.swapgate.gate.core;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything a decision is made from: what is wanted, what is seen, what was asked. Not
 * thread-safe; belongs to the gate's loop. Decisions read it; only the loop and {@link HandRules}
 * write it.
 */
public final class Situation {

  private Box box;
  private final Sightings sightings = new Sightings();
  private final Attempts attempts = new Attempts();
  private final CardWatch card;
  private final JobQueue jobs;
  private final StepTimes times;
  private final Restores restores = new Restores();
  private final SetAsides setAsides = new SetAsides();
  private final List<Lease> leases = new ArrayList<>();
  private final Map<Backend.Id, ContainerSighting.Run> condemned = new HashMap<>();
  private Optional<Backend.Id> suspect = Optional.empty();
  private Backend.Id selected;
  private Optional<Maintenance> maintenance = Optional.empty();
  private Optional<HandStop> handStop = Optional.empty();
  private Optional<Swap> swap = Optional.empty();
  private Optional<Backend.Id> openFor = Optional.empty();
  private Optional<Backend.Id> lastOpenFor = Optional.empty();
  private Optional<Duration> openSince = Optional.empty();
  private Optional<Duration> shutSince = Optional.empty();
  private Optional<Duration> cutSince = Optional.empty();
  private Optional<Duration> idleSince = Optional.empty();
  private Optional<JobEnd> lastJobEnd = Optional.empty();
  private Optional<Spared> spared = Optional.empty();
  private Optional<Duration> lastVisit = Optional.empty();
  private int inside;
  private boolean storeWritable = true;

  /** Nothing is learned yet. */
  public Situation(Box box, Backend.Id selected, CardWatch card, JobQueue jobs) {
    this(box, selected, card, jobs, new StepTimes(List.of()));
  }

  public Situation(Box box, Backend.Id selected, CardWatch card, JobQueue jobs, StepTimes times) {
    this.box = box;
    this.times = times;
    this.selected = selected;
    this.card = card;
    this.jobs = jobs;
  }

  /**
   * Nobody decides.
   *
   * @param byHand true when it follows from what somebody did with the containers
   */
  public record Maintenance(String reason, boolean byHand) {}

  /**
   * The engine was stopped by hand and is left alone for a while.
   *
   * @param until steady time
   */
  public record HandStop(Backend.Id engine, Duration until) {}

  /** From the moment the turnstile shut until it opens again; wall time outlives a crash. */
  public record Swap(Duration since, Instant sinceAt) {}

  /** When the last job of this swap was over, and where. */
  public record JobEnd(Backend.Id backend, Duration at) {}

  public Box box() {
    return box;
  }

  /** From now on these budgets and rules apply; the containers are the same. */
  public void box(Box box) {
    if (!box.hasContainersOf(this.box)) {
      throw new IllegalArgumentException("a box with other containers is another box");
    }
    this.box = box;
  }

  public Sightings sightings() {
    return sightings;
  }

  public Attempts attempts() {
    return attempts;
  }

  public CardWatch card() {
    return card;
  }

  public JobQueue jobs() {
    return jobs;
  }

  /** What the steps of earlier swaps took. */
  public StepTimes times() {
    return times;
  }

  /** What the next steps will take, by what was learned. */
  public RetryAfterEstimator estimator() {
    return new RetryAfterEstimator(box, times);
  }

  public Restores restores() {
    return restores;
  }

  public SetAsides setAsides() {
    return setAsides;
  }

  /** The leases, oldest first. */
  public List<Lease> leases() {
    return leases;
  }

  /** Runs that must be stopped whoever the owner is: wedged, failed, paused. */
  public Map<Backend.Id, ContainerSighting.Run> condemned() {
    return condemned;
  }

  public boolean isCondemned(Backend.Id id) {
    ContainerSighting.Run run = condemned.get(id);
    return run != null
        && sightings.running(id).map(running -> running.run().equals(run)).orElse(false);
  }

  /** Whatever runs there at the first look must be stopped before it is used. */
  public void suspect(Backend.Id id) {
    suspect = Optional.of(id);
  }

  /** The first look has come. */
  public void judgeSuspect() {
    suspect.ifPresent(id -> sightings.running(id).ifPresent(one -> condemned.put(id, one.run())));
    suspect = Optional.empty();
  }

  public Backend.Id selected() {
    return selected;
  }

  public void select(Backend.Id engine) {
    selected = engine;
  }

  public Optional<Maintenance> maintenance() {
    return maintenance;
  }

  public void maintenance(Optional<Maintenance> next) {
    maintenance = next;
  }

  public Optional<HandStop> handStop() {
    return handStop;
  }

  public void handStop(Optional<HandStop> next) {
    handStop = next;
  }

  public Optional<Swap> swap() {
    return swap;
  }

  public void swap(Optional<Swap> next) {
    swap = next;
  }

  /** The engine the turnstile is open for; empty when it is shut. */
  public Optional<Backend.Id> openFor() {
    return openFor;
  }

  /** The engine it was last open for: those who are inside are with it. */
  public Optional<Backend.Id> lastOpenFor() {
    return lastOpenFor;
  }

  /** Steady time of the last opening, also while it is shut again. */
  public Optional<Duration> openSince() {
    return openSince;
  }

  /** Steady time of the last shutting, while it is shut. */
  public Optional<Duration> shutSince() {
    return shutSince;
  }

  public void opened(Backend.Id engine, Duration since) {
    openFor = Optional.of(engine);
    lastOpenFor = openFor;
    openSince = Optional.of(since);
    shutSince = Optional.empty();
    cutSince = Optional.empty();
  }

  public void shut(Now now) {
    openFor = Optional.empty();
    shutSince = Optional.of(now.steady());
  }

  /** Steady time at which those inside were told to end. */
  public Optional<Duration> cutSince() {
    return cutSince;
  }

  public void cut(Now now) {
    cutSince = Optional.of(now.steady());
  }

  public int inside() {
    return inside;
  }

  public void inside(int count, Now now) {
    inside = count;
    idleSince = count > 0 ? Optional.empty() : idleSince.or(() -> Optional.of(now.steady()));
  }

  /** Since when nobody has been inside. */
  public Optional<Duration> idleSince() {
    return idleSince;
  }

  public Optional<JobEnd> lastJobEnd() {
    return lastJobEnd;
  }

  public void lastJobEnd(Optional<JobEnd> end) {
    lastJobEnd = end;
  }

  /** Whether it holds the card by a lease, of whatever kind. */
  boolean isLeased(Backend.Id id) {
    return leases.stream().anyMatch(lease -> lease.backend().equals(Optional.of(id)));
  }

  /** Why its present run can be of no use any more. */
  Optional<String> noUse(Backend.Id id) {
    if (isCondemned(id)) {
      return Optional.of("it has failed");
    }
    return sightings.isPaused(id) ? Optional.of("it is paused") : Optional.empty();
  }

  public Optional<Spared> spared() {
    return spared;
  }

  public void spared(Spared last) {
    spared = Optional.of(last);
  }

  /** Steady time at which the last job of the last swap with one was over. */
  public Optional<Duration> lastVisit() {
    return lastVisit;
  }

  /** Chat flows again: what was the last job of this swap is that of the last one from now on. */
  public void swapOver() {
    swap = Optional.empty();
    lastVisit = lastJobEnd.map(JobEnd::at).or(() -> lastVisit);
    lastJobEnd = Optional.empty();
  }

  public boolean storeWritable() {
    return storeWritable;
  }

  public void storeWritable(boolean writable) {
    storeWritable = writable;
  }

  /** All containers were seen down by the last look. */
  public boolean allDown() {
    return box.backends().stream().allMatch(backend -> sightings.isDown(backend.id()));
  }

  /**
   * Steady time after which samples of the card count: when the last container was seen down, or
   * the last start ended.
   */
  public Duration cardDirtySince() {
    Duration latest = Duration.ofSeconds(-1);
    for (Backend backend : box.backends()) {
      Duration down = sightings.downSince(backend.id()).orElse(latest);
      Duration start =
          attempts
              .last(backend.id(), Note.Verb.START)
              .flatMap(Attempts.Attempt::ended)
              .orElse(latest);
      latest = Durations.max(latest, Durations.max(down, start));
    }
    return latest;
  }
}
