package dev.swapgate.gate.store;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.core.NewJob;
import dev.swapgate.gate.core.StepTimes;
import dev.swapgate.gate.port.JobStore;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The store's twin for simulations: keeps the same contract without a disk. {@link #crash} is a
 * power cut: what was not synced is gone. By default every write is synced before it returns, as
 * the contract says; {@link #lie} plants the bug of a disk that answers first and syncs later.
 */
public final class MemoryJobStore implements JobStore {
  private Tables seen = new Tables();
  private Tables onDisk = new Tables();
  private final Deque<Consumer<Tables>> unsynced = new ArrayDeque<>();
  private boolean lying;
  private int failuresLeft;
  private boolean failing;
  private boolean closed;

  private record Entry(Job job, JobRequest request, String key) {}

  private static final class Tables {
    private final Map<Job.Id, Entry> jobs = new LinkedHashMap<>();
    private final List<StepTimes.Sample> stepTimes = new ArrayList<>();
    private final Map<String, String> settings = new HashMap<>();
    private final List<HistoryLine> history = new ArrayList<>();
    private final List<Swap> swaps = new ArrayList<>();

    Tables copy() {
      Tables copy = new Tables();
      copy.jobs.putAll(jobs);
      copy.stepTimes.addAll(stepTimes);
      copy.settings.putAll(settings);
      copy.history.addAll(history);
      copy.swaps.addAll(swaps);
      return copy;
    }
  }

  private record Swap(Instant until, String json) {}

  /** A power cut and a new start: only what was synced is there, and the disk works again. */
  public synchronized void crash() {
    unsynced.clear();
    seen = onDisk.copy();
    failing = false;
    failuresLeft = 0;
    closed = false;
  }

  /** From now on writes return before they are synced; {@code false} syncs them all. */
  public synchronized void lie(boolean on) {
    lying = on;
    if (!on) {
      sync();
    }
  }

  /** Brings everything written so far to the disk. */
  public synchronized void sync() {
    unsynced.forEach(write -> write.accept(onDisk));
    unsynced.clear();
  }

  /** Every write fails, as on a full disk, until this is called with {@code false}. */
  public synchronized void fail(boolean on) {
    failing = on;
  }

  /** The next {@code count} writes fail; those after them succeed. */
  public synchronized void failNext(int count) {
    failuresLeft = count;
  }

  @Override
  public synchronized List<Job> open() {
    refuseIfClosed();
    return seen.jobs.values().stream().map(Entry::job).filter(job -> !isFinal(job)).toList();
  }

  @Override
  public synchronized List<Job> open(Backend.Id backend, int limit) {
    return open().reversed().stream()
        .filter(job -> job.backend().equals(backend))
        .limit(limit)
        .toList();
  }

  @Override
  public synchronized List<Job> jobs(List<Job.State> states, int limit) {
    refuseIfClosed();
    List<Job> found = new ArrayList<>();
    seen.jobs.values().stream()
        .map(Entry::job)
        .filter(job -> states.contains(job.state()))
        .forEach(found::add);
    Collections.reverse(found);
    return List.copyOf(found.subList(0, Math.min(limit, found.size())));
  }

  @Override
  public synchronized Optional<Job> job(Job.Id id) {
    refuseIfClosed();
    return Optional.ofNullable(seen.jobs.get(id)).map(Entry::job);
  }

  @Override
  public synchronized Optional<Job> byKey(String idempotencyKey) {
    refuseIfClosed();
    return seen.jobs.values().stream()
        .filter(entry -> !entry.key().isEmpty() && entry.key().equals(idempotencyKey))
        .map(Entry::job)
        .findFirst();
  }

  @Override
  public synchronized Optional<JobRequest> request(Job.Id id) {
    refuseIfClosed();
    return Optional.ofNullable(seen.jobs.get(id)).map(Entry::request);
  }

  @Override
  public synchronized List<Job> insertAll(List<NewJob> jobs, String idempotencyKey) {
    Optional<Job> known = byKey(idempotencyKey);
    if (known.isPresent()) {
      refuseIfFailing("accept job " + jobs.getFirst().job().id());
      return known.get().terms().batch().map(this::batch).orElse(List.of(known.get()));
    }
    for (NewJob one : jobs) {
      if (seen.jobs.containsKey(one.job().id())) {
        throw new IllegalArgumentException("job " + one.job().id() + " was accepted before");
      }
    }
    write(
        "accept job " + jobs.getFirst().job().id(),
        tables ->
            jobs.forEach(
                one -> {
                  String key = one == jobs.getFirst() ? idempotencyKey : "";
                  tables.jobs.put(one.job().id(), new Entry(one.job(), one.asked(), key));
                }));
    return jobs.stream().map(NewJob::job).toList();
  }

  @Override
  public synchronized List<Job> batch(Job.Id batch) {
    refuseIfClosed();
    return seen.jobs.values().stream()
        .map(Entry::job)
        .filter(job -> job.terms().batch().equals(Optional.of(batch)))
        .toList();
  }

  @Override
  public synchronized void update(Job job) {
    if (!seen.jobs.containsKey(job.id())) {
      throw new StoreException("cannot update job " + job.id() + ": the store has no such job");
    }
    write(
        "update job " + job.id(),
        tables ->
            tables.jobs.computeIfPresent(
                job.id(),
                (id, entry) ->
                    isFinal(entry.job()) ? entry : new Entry(job, entry.request(), entry.key())));
  }

  @Override
  public synchronized List<StepTimes.Sample> stepTimes() {
    refuseIfClosed();
    return List.copyOf(seen.stepTimes);
  }

  @Override
  public synchronized void addStepTime(StepTimes.Sample sample, Instant at) {
    write(
        "note a step's time",
        tables -> {
          tables.stepTimes.add(sample);
          List<StepTimes.Sample> same =
              tables.stepTimes.stream().filter(old -> old.key().equals(sample.key())).toList();
          if (same.size() > StepTimes.KEPT) {
            tables.stepTimes.remove(same.getFirst());
          }
        });
  }

  @Override
  public synchronized Map<String, String> settings() {
    refuseIfClosed();
    return Map.copyOf(seen.settings);
  }

  @Override
  public synchronized void put(String key, String value) {
    write(
        "remember " + key,
        tables -> {
          if (value.isEmpty()) {
            tables.settings.remove(key);
          } else {
            tables.settings.put(key, value);
          }
        });
  }

  @Override
  public synchronized void addHistory(
      Instant at, String what, String backend, String job, String json) {
    HistoryLine line = new HistoryLine(at, what, backend, job, json);
    write(
        "note history",
        tables -> {
          tables.history.add(line);
          if (tables.history.size() > SqliteHistory.LINES_KEPT) {
            tables.history.removeFirst();
          }
        });
  }

  @Override
  public synchronized List<HistoryLine> history(int limit) {
    refuseIfClosed();
    List<HistoryLine> newest = new ArrayList<>(seen.history);
    Collections.reverse(newest);
    return List.copyOf(newest.subList(0, Math.min(limit, newest.size())));
  }

  @Override
  public synchronized void addSwap(Instant since, Instant until, String json) {
    write(
        "note a swap",
        tables -> {
          tables.swaps.addFirst(new Swap(until, json));
          if (tables.swaps.size() > SqliteHistory.SWAPS_KEPT) {
            tables.swaps.removeLast();
          }
        });
  }

  @Override
  public synchronized List<String> swaps(int limit) {
    refuseIfClosed();
    return seen.swaps.stream().limit(limit).map(Swap::json).toList();
  }

  @Override
  public synchronized List<Job.Id> forgetBefore(Instant then) {
    List<Job.Id> old =
        seen.jobs.values().stream()
            .map(Entry::job)
            .filter(job -> isFinal(job) && job.ended().orElse(Instant.MAX).isBefore(then))
            .map(Job::id)
            .toList();
    write(
        "forget old jobs",
        tables -> {
          old.forEach(tables.jobs::remove);
          tables.history.removeIf(line -> line.at().isBefore(then));
          tables.swaps.removeIf(swap -> swap.until().isBefore(then));
        });
    return old;
  }

  @Override
  public synchronized void close() {
    closed = true;
  }

  private void write(String what, Consumer<Tables> write) {
    refuseIfFailing(what);
    write.accept(seen);
    unsynced.add(write);
    if (!lying) {
      sync();
    }
  }

  private void refuseIfFailing(String what) {
    refuseIfClosed();
    if (failuresLeft > 0) {
      failuresLeft--;
      throw new StoreException("cannot " + what + ": the pretended disk is full (once)");
    }
    if (failing) {
      throw new StoreException("cannot " + what + ": the pretended disk is full");
    }
  }

  private void refuseIfClosed() {
    if (closed) {
      throw new StoreException("the store is closed");
    }
  }

  private static boolean isFinal(Job job) {
    return job.state().isFinal();
  }
}
