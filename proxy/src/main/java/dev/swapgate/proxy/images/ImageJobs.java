package dev.swapgate.proxy.images;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.core.JobTerms;
import dev.swapgate.gate.core.Phase;
import dev.swapgate.gate.port.JobAdapter;
import dev.swapgate.gate.port.JobStore;
import dev.swapgate.gate.runtime.Gate;
import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.proxy.http.Decisions;
import dev.swapgate.proxy.http.HttpProblem;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes jobs of requests for pictures. One that says the same as another that was not answered yet
 * is taken for its retry, and gets the same jobs: their key is made of what the request says and of
 * how many before it said the same. So a retry finds them after a restart, too. Thread-safe.
 */
final class ImageJobs {

  /** How long a job that ended waits for the retry of a client that had left. */
  private static final Duration JOINABLE = Duration.ofMinutes(10);

  /** Answers that are remembered as given. */
  private static final int REMEMBERED = 1000;

  /** Requests that say the same, within the time that results are kept. */
  private static final int MOST_ALIKE = 10_000;

  private final Gate gate;
  private final JobStore store;
  private final Map<Backend.Id, JobAdapter> adapters;
  private final SteadyClock clock;
  private final SecureRandom random = new SecureRandom();
  private final Map<String, Boolean> answered =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
          return size() > REMEMBERED;
        }
      };

  ImageJobs(Gate gate, JobStore store, Map<Backend.Id, JobAdapter> adapters, SteadyClock clock) {
    this.gate = gate;
    this.store = store;
    this.adapters = adapters;
    this.clock = clock;
  }

  /**
   * Jobs that were made for a request.
   *
   * @param key by which they are known to the store
   */
  record Made(String key, List<Job.Id> jobs) {}

  /**
   * The jobs of the request that this one is a retry of, else new ones.
   *
   * @throws Refused when none can be made
   */
  Made joinedOrNew(ImageRequest request) {
    for (int alike = 0; alike < MOST_ALIKE; alike++) {
      String key = "images-" + request.digest() + "-" + alike;
      Optional<Job> first = store.byKey(key);
      if (first.isEmpty()) {
        return made(request, key);
      }
      List<Job> jobs =
          first.get().terms().batch().map(store::batch).orElseGet(() -> List.of(first.get()));
      if (!isAnswered(key) && jobs.stream().anyMatch(this::isFresh)) {
        return new Made(key, jobs.stream().map(Job::id).toList());
      }
    }
    throw Refused.busy("this was asked too often; vary it", gate.retryAfterSeconds());
  }

  private boolean isFresh(Job job) {
    Instant since = clock.now().wall().minus(JOINABLE);
    return job.ended().map(ended -> ended.isAfter(since)).orElse(true);
  }

  /** From now on who says the same wants something new. */
  void answered(String key) {
    synchronized (answered) {
      answered.put(key, true);
    }
  }

  private boolean isAnswered(String key) {
    synchronized (answered) {
      return answered.containsKey(key);
    }
  }

  private Made made(ImageRequest request, String key) {
    refuseWhileHopeless();
    List<JobRequest> requests = requests(request);
    JobAdapter adapter = adapter(request);
    for (JobRequest one : requests) {
      adapter
          .refusal(one)
          .ifPresent(
              why -> {
                throw Refused.invalid(400, "refused_request", why);
              });
    }
    try {
      List<Gate.Accepted> accepted =
          Decisions.await(
              gate.submit(
                  new Gate.Handed(
                      request.workflow().backend(),
                      requests,
                      Optional.empty(),
                      JobTerms.PLAIN,
                      Optional.of(key))));
      return new Made(key, accepted.stream().map(one -> one.job().id()).toList());
    } catch (HttpProblem problem) {
      throw refused(problem);
    }
  }

  private Refused refused(HttpProblem problem) {
    String why = String.valueOf(problem.getMessage());
    return switch (problem.status()) {
      case 429 -> Refused.busy("the queue is full", gate.retryAfterSeconds());
      case 503, 507 -> Refused.unavailable(problem.code(), why, gate.retryAfterSeconds());
      default -> Refused.invalid(problem.status(), problem.code(), why);
    };
  }

  /** A job would be accepted and wait for whoever mends the box; nobody waits so long for it. */
  private void refuseWhileHopeless() {
    GateView view = gate.view();
    if (view.phase() == Phase.MAINTENANCE) {
      throw Refused.unavailable(
          "maintenance", "the GPU is in maintenance", gate.retryAfterSeconds());
    }
    if (!view.chatOpen() && view.refusal() != GateView.Refusal.RATE_LIMIT) {
      throw Refused.unavailable(
          view.refusal() == GateView.Refusal.DEGRADED ? "degraded" : "stopped_by_hand",
          "no job begins until the chat engine is back",
          gate.retryAfterSeconds());
    }
  }

  private JobAdapter adapter(ImageRequest request) {
    JobAdapter adapter = adapters.get(request.workflow().backend());
    if (adapter == null) {
      throw new IllegalStateException("no adapter for " + request.workflow().backend());
    }
    return adapter;
  }

  /** A seed that was not given is drawn: nobody asks twice for the very same picture. */
  private List<JobRequest> requests(ImageRequest request) {
    JobAdapter adapter = adapter(request);
    Map<String, String> given = request.workflow().addressed(request.values());
    List<JobRequest> requests = new ArrayList<>();
    for (int n = 0; n < request.count(); n++) {
      Map<String, String> values = new HashMap<>(given);
      JobRequest plain = new JobRequest(request.workflow().json(), values, List.of());
      if (n > 0 || given.keySet().stream().noneMatch(ImageJobs::isSeed)) {
        values.keySet().removeIf(ImageJobs::isSeed);
        // What cannot run is refused below, with the reason.
        if (adapter.refusal(plain).isEmpty()) {
          values.putAll(adapter.reseeded(plain, Integer.toUnsignedLong(random.nextInt())));
        }
      }
      requests.add(new JobRequest(plain.json(), values, List.of()));
    }
    return requests;
  }

  private static boolean isSeed(String address) {
    return address.endsWith("seed");
  }
}
