package dev.swapgate.gate.runtime;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Box;
import dev.swapgate.gate.core.Command;
import dev.swapgate.gate.core.Engine;
import dev.swapgate.gate.core.Event;
import dev.swapgate.gate.core.GateEvent;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.core.LeaseTerms;
import dev.swapgate.gate.core.NewJob;
import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.core.StepTimes;
import dev.swapgate.gate.port.Containers;
import dev.swapgate.gate.port.GateListener;
import dev.swapgate.gate.port.JobAdapter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gate, alive: the one thread that runs the loop, and the street side's way to it. Everybody
 * else posts events.
 */
public final class GateThread implements Gate, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger("swapgate.gate");

  /** How long answers that are ended by a stop have for their last words. */
  private static final Duration CUT_LIMIT = Duration.ofSeconds(1);

  private final Box box;
  private final Ports ports;
  private final SteadyClock clock;
  private final Runnable breached;
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final Map<Long, CompletableFuture<Command.Answer>> requests = new ConcurrentHashMap<>();
  private final AtomicLong lastRequest = new AtomicLong();
  private final List<GateListener> listeners = new CopyOnWriteArrayList<>();
  private final Turnstile turnstile = new Turnstile(() -> post(new Event.Emptied()));
  private final CommandRunner runner;
  private final GateLoop loop;
  private final Thread thread;
  private volatile GateView view;
  private volatile boolean ending;
  private @Nullable AutoCloseable watch;

  /**
   * Reads what an earlier process left behind; throws what the store and the notes throw.
   *
   * @param breached called once when a decision of our own would break a promise: the process must
   *     end with 70
   */
  public GateThread(Box box, Ports ports, SteadyClock clock, Runnable breached) {
    this.box = box;
    this.ports = ports;
    this.clock = clock;
    this.breached = breached;
    this.runner = new CommandRunner(ports, clock, this::post);
    this.loop = new GateLoop(box, ports.memory(), turnstile, clock.now());
    this.view = loop.view();
    this.thread = new Thread(this::run, "swapgate-gate");
  }

  /** Begins to decide. Call once, after the listeners are in. */
  public void start() {
    thread.start();
    watch = ports.containers().watch(this::hinted);
  }

  private void hinted(Containers.Hint hint) {
    Optional<Backend.Id> backend =
        box.backends().stream()
            .filter(one -> one.container().equals(hint.container()))
            .map(Backend::id)
            .findFirst();
    if (backend.isPresent() || hint.container().isEmpty()) {
      post(new Event.Hinted(backend, hint.signalled()));
    }
  }

  private void post(Event event) {
    events.add(event);
  }

  private void run() {
    Event event = new Event.Woke();
    try {
      while (!ending) {
        handle(event);
        event = next();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      turnstile.shut();
      LOG.error("breach of our own: event={} state={}", event, view, e);
      breached.run();
    } finally {
      turnstile.shut();
    }
  }

  private Event next() throws InterruptedException {
    Now now = clock.now();
    Duration wait = loop.wakeAt(now).minus(now.steady());
    Event event =
        wait.isNegative() ? events.poll() : events.poll(wait.toNanos(), TimeUnit.NANOSECONDS);
    return event == null ? new Event.Woke() : event;
  }

  private void handle(Event event) {
    List<Command> commands = loop.handle(event, clock.now());
    GateView before = view;
    view = loop.view();
    commands.forEach(this::carryOut);
    if (!before.equals(view)) {
      listeners.forEach(listener -> listener.changed(view));
    }
  }

  private void carryOut(Command command) {
    switch (command) {
      case Command.Look look -> runner.look(look);
      case Command.Measure measure -> runner.measure(measure);
      case Command.Probe probe -> runner.probe(probe);
      case Command.Docker docker -> runner.docker(docker);
      case Command.Begin begin -> runner.begin(begin);
      case Command.Ask ask -> runner.ask(ask);
      case Command.Accept accept -> runner.accept(accept);
      case Command.Save save -> runner.save(save);
      case Command.Remember remember ->
          runner.write(remember.key(), () -> ports.store().put(remember.key(), remember.value()));
      case Command.Learn learn -> learn(learn.sample());
      case Command.TellLog tell -> runner.tellLog(tell);
      case Command.Reply reply -> reply(reply);
      case Command.Tell tell -> tell(tell.event());
      case Command.Cut cut ->
          listeners.forEach(listener -> listener.cut(cut.engine(), cut.retryAfterSeconds()));
    }
  }

  private void learn(StepTimes.Sample sample) {
    listeners.forEach(listener -> listener.learned(sample));
    runner.write("a step time", () -> ports.store().addStepTime(sample, clock.now().wall()));
  }

  private void reply(Command.Reply reply) {
    CompletableFuture<Command.Answer> waiting = requests.remove(reply.request());
    if (waiting != null) {
      // Whoever waits goes on in a thread of its own, never in the gate's.
      waiting.completeAsync(reply::answer, task -> Thread.ofVirtual().start(task));
    }
  }

  private void tell(GateEvent event) {
    String line = "{} {}{}{}";
    String backend = event.backend().isEmpty() ? "" : " backend=" + event.backend();
    String job = event.job().isEmpty() ? "" : " job=" + event.job();
    switch (event.level()) {
      case DEBUG -> LOG.debug(line, event.what(), event.text(), backend, job);
      case INFO -> LOG.info(line, event.what(), event.text(), backend, job);
      case WARN -> LOG.warn(line, event.what(), event.text(), backend, job);
      case ERROR -> LOG.error(line, event.what(), event.text(), backend, job);
    }
    listeners.forEach(listener -> listener.happened(event));
    if (event.level() != GateEvent.Level.DEBUG) {
      runner.write(
          "history",
          () ->
              ports
                  .store()
                  .addHistory(
                      event.at(), event.what(), event.backend(), event.job(), event.text()));
    }
  }

  @Override
  public Turnstile turnstile() {
    return turnstile;
  }

  @Override
  public GateView view() {
    return view;
  }

  @Override
  public int retryAfterSeconds() {
    return view.outlook().retryAfterSeconds(clock.now());
  }

  @Override
  public void listen(GateListener listener) {
    listeners.add(listener);
  }

  @Override
  public CompletionStage<List<Accepted>> submit(Handed handed) {
    Backend.Id backend = handed.backend();
    JobAdapter adapter = ports.adapters().get(backend);
    if (adapter == null) {
      return failed(RefusedException.Kind.NOT_FOUND, "no media backend is named " + backend);
    }
    for (JobRequest request : handed.requests()) {
      Optional<String> refusal = adapter.refusal(request);
      if (refusal.isPresent()) {
        return failed(RefusedException.Kind.INVALID, refusal.get());
      }
    }
    List<NewJob> jobs = HandedJobs.of(handed, adapter, clock.now().wall());
    return ask(id -> new Event.Wish.Submit(id, jobs, handed.idempotencyKey().orElse("")))
        .thenApply(GateThread::accepted);
  }

  private static List<Accepted> accepted(Command.Answer answer) {
    return ((Command.Answer.Accepted) answer)
        .places().stream()
            .map(one -> new Accepted(one.job(), one.position(), one.startsIn(), one.outage()))
            .toList();
  }

  @Override
  public CompletionStage<Job> cancel(Job.Id job) {
    return ask(id -> new Event.Wish.Cancel(id, job))
        .thenApply(answer -> ((Command.Answer.Changed) answer).job().orElseThrow());
  }

  @Override
  public CompletionStage<GateView> select(Backend.Id engine) {
    return ask(id -> new Event.Wish.Select(id, engine)).thenApply(answer -> view);
  }

  @Override
  public CompletionStage<GateView.LeaseView> lease(
      Optional<Backend.Id> backend, Duration length, LeaseTerms terms) {
    return ask(id -> new Event.Wish.TakeLease(id, backend, length, terms))
        .thenApply(GateThread::lease);
  }

  @Override
  public CompletionStage<GateView.LeaseView> beat(String lease, Optional<Duration> length) {
    return ask(id -> new Event.Wish.Beat(id, lease, length)).thenApply(GateThread::lease);
  }

  private static GateView.LeaseView lease(Command.Answer answer) {
    return ((Command.Answer.Changed) answer).lease().orElseThrow();
  }

  @Override
  public CompletionStage<GateView> release(String lease) {
    return ask(id -> new Event.Wish.Release(id, lease)).thenApply(answer -> view);
  }

  @Override
  public CompletionStage<GateView> maintenance(boolean on) {
    return ask(id -> new Event.Wish.Maintain(id, on)).thenApply(answer -> view);
  }

  /**
   * Lets other rules and budgets apply to the same containers, in the middle of a swap too. Refused
   * when backends or containers differ.
   *
   * @param what has changed, for people
   */
  public CompletionStage<GateView> reconfigure(Box box, String what) {
    return ask(id -> new Event.Wish.Reconfigure(id, box, what)).thenApply(answer -> view);
  }

  private CompletionStage<Command.Answer> ask(java.util.function.LongFunction<Event> wish) {
    long id = lastRequest.incrementAndGet();
    CompletableFuture<Command.Answer> answer = new CompletableFuture<>();
    requests.put(id, answer);
    if (ending) {
      // Asked after the noting, so that one that comes while it stops is found by either side.
      answer.completeExceptionally(stopping());
    }
    post(wish.apply(id));
    return answer.thenApply(
        one -> {
          if (one instanceof Command.Answer.Refused refused) {
            throw new RefusedException(
                RefusedException.Kind.valueOf(refused.kind().name()), refused.reason());
          }
          return one;
        });
  }

  private static <T> CompletionStage<T> failed(RefusedException.Kind kind, String message) {
    return CompletableFuture.failedFuture(new RefusedException(kind, message));
  }

  /** As {@link #leave}, and answers under way are left to whoever closes their connections. */
  @Override
  public void close() {
    stopDeciding();
    runner.close();
  }

  /**
   * Stops deciding and admitting: the turnstile shuts, the containers stay as they are, and the
   * next start takes over. Answers under way may go on for {@code grace}; what then still runs is
   * ended visibly. Blocks, at most some seconds beyond it. Does not close the ports.
   */
  public void leave(Duration grace) {
    stopDeciding();
    if (!isEmptyWithin(grace)) {
      LOG.warn("stopping: inside={} after {} s are ended", turnstile.inside(), grace.toSeconds());
      box.engines().stream()
          .map(Engine::id)
          .forEach(id -> listeners.forEach(listener -> listener.cut(id, retryAfterSeconds())));
      isEmptyWithin(CUT_LIMIT);
    }
    runner.close();
  }

  private void stopDeciding() {
    ending = true;
    turnstile.shut();
    post(new Event.Woke());
    try {
      if (watch != null) {
        watch.close();
      }
      thread.join(Duration.ofSeconds(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      LOG.warn("the watch on Docker's events would not close: {}", e.toString());
    }
    requests.values().forEach(waiting -> waiting.completeExceptionally(stopping()));
  }

  /** Nobody else takes events by now; those that say who left are waited for. */
  private boolean isEmptyWithin(Duration limit) {
    Duration end = clock.now().steady().plus(limit);
    try {
      while (turnstile.inside() > 0) {
        Duration left = end.minus(clock.now().steady());
        if (!left.isPositive()) {
          return false;
        }
        events.poll(left.toNanos(), TimeUnit.NANOSECONDS);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static RefusedException stopping() {
    return new RefusedException(
        RefusedException.Kind.CONFLICT, "swapgate is stopping; ask again once it is back");
  }
}
