package dev.swapgate.proxy;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.core.NewJob;
import dev.swapgate.gate.core.StepTimes;
import dev.swapgate.gate.port.JobStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A store in memory: enough of one for the street side. */
public final class RecordedStore implements JobStore {
  private final Map<Job.Id, Job> jobs = new ConcurrentSkipListMap<>();
  private final Map<Job.Id, JobRequest> requests = new ConcurrentHashMap<>();
  private final Map<String, Job.Id> keys = new ConcurrentHashMap<>();
  private final List<HistoryLine> history = new CopyOnWriteArrayList<>();
  private final List<String> swaps = new CopyOnWriteArrayList<>();
  public final List<StepTimes.Sample> samples = new CopyOnWriteArrayList<>();

  @Override
  public List<Job> open() {
    return jobs.values().stream().filter(job -> !job.state().isFinal()).toList();
  }

  @Override
  public List<Job> open(Backend.Id backend, int limit) {
    return open().reversed().stream()
        .filter(job -> job.backend().equals(backend))
        .limit(limit)
        .toList();
  }

  @Override
  public List<Job> jobs(List<Job.State> states, int limit) {
    List<Job> found =
        new ArrayList<>(
            jobs.values().stream().filter(job -> states.contains(job.state())).toList());
    return found.reversed().stream().limit(limit).toList();
  }

  @Override
  public Optional<Job> job(Job.Id id) {
    return Optional.ofNullable(jobs.get(id));
  }

  @Override
  public Optional<Job> byKey(String idempotencyKey) {
    return Optional.ofNullable(keys.get(idempotencyKey)).flatMap(this::job);
  }

  @Override
  public Optional<JobRequest> request(Job.Id id) {
    return Optional.ofNullable(requests.get(id));
  }

  @Override
  public List<Job> insertAll(List<NewJob> all, String idempotencyKey) {
    keys.putIfAbsent(idempotencyKey, all.getFirst().job().id());
    for (NewJob one : all) {
      jobs.put(one.job().id(), one.job());
      requests.put(one.job().id(), one.asked());
    }
    return all.stream().map(NewJob::job).toList();
  }

  @Override
  public List<Job> batch(Job.Id batch) {
    return jobs.values().stream()
        .filter(job -> job.terms().batch().equals(Optional.of(batch)))
        .toList();
  }

  @Override
  public void update(Job job) {
    jobs.put(job.id(), job);
  }

  @Override
  public List<StepTimes.Sample> stepTimes() {
    return List.copyOf(samples);
  }

  @Override
  public void addStepTime(StepTimes.Sample sample, Instant at) {
    samples.add(sample);
  }

  @Override
  public Map<String, String> settings() {
    return Map.of();
  }

  @Override
  public void put(String key, String value) {}

  @Override
  public void addHistory(Instant at, String what, String backend, String job, String json) {
    history.addFirst(new HistoryLine(at, what, backend, job, json));
  }

  @Override
  public List<HistoryLine> history(int limit) {
    return history.stream().limit(limit).toList();
  }

  @Override
  public void addSwap(Instant since, Instant until, String json) {
    swaps.addFirst(json);
  }

  @Override
  public List<String> swaps(int limit) {
    return swaps.stream().limit(limit).toList();
  }

  @Override
  public List<Job.Id> forgetBefore(Instant then) {
    return List.of();
  }

  @Override
  public void close() {}
}
