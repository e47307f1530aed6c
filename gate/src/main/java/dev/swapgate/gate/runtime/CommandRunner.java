package dev.swapgate.gate.runtime;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Command;
import dev.swapgate.gate.core.CommandEnd;
import dev.swapgate.gate.core.ContainerSighting;
import dev.swapgate.gate.core.Event;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobAnswer;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.core.Note;
import dev.swapgate.gate.port.BackendException;
import dev.swapgate.gate.port.JobAdapter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries commands out, each on a virtual thread of its own, and posts what came of it. Writes go
 * one after another in the order they were given. The loop asks at most one question of a kind at a
 * time, so the number of threads is bounded. Thread-safe.
 */
final class CommandRunner implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CommandRunner.class);
  private static final int LOG_LINES = 20;

  private final Ports ports;
  private final SteadyClock clock;
  private final Consumer<Event> post;
  private final ExecutorService writer =
      Executors.newSingleThreadExecutor(Thread.ofVirtual().name("swapgate-store").factory());

  CommandRunner(Ports ports, SteadyClock clock, Consumer<Event> post) {
    this.ports = ports;
    this.clock = clock;
    this.post = post;
  }

  void look(Command.Look look) {
    thread("look", "all", () -> post.accept(lookNow(look)));
  }

  private Event lookNow(Command.Look look) {
    try {
      Map<Backend.Id, ContainerSighting> seen = new HashMap<>();
      look.containers().forEach((id, name) -> seen.put(id, ports.containers().look(name)));
      return new Event.Looked(look.ask(), seen);
    } catch (BackendException e) {
      return new Event.LookFailed(look.ask(), message(e));
    }
  }

  void measure(Command.Measure measure) {
    thread(
        "measure",
        "card",
        () -> post.accept(new Event.Measured(measure.ask(), ports.meter().read())));
  }

  void probe(Command.Probe probe) {
    thread(
        "probe",
        probe.backend().value(),
        () ->
            post.accept(
                new Event.Probed(
                    probe.ask(), probe.backend(), ports.probe().probe(probe.backend()))));
  }

  void docker(Command.Docker docker) {
    Note note = docker.note();
    String verb = note.verb().name().toLowerCase(java.util.Locale.ROOT);
    thread(
        verb,
        note.backend().value(),
        () -> {
          CommandEnd end = noted(note) ? send(docker) : unnoted(docker);
          // The end counts before it is noted: until then it is unknown to the next process.
          post.accept(new Event.CommandEnded(note.attempt(), end));
          noted(note.endedWith(end));
        });
  }

  private boolean noted(Note note) {
    try {
      ports.notes().note(note);
      return true;
    } catch (BackendException e) {
      LOG.warn("a command could not be noted: {}", message(e));
      return false;
    }
  }

  /** The way home must not hang on the disk; only a media start does. */
  private CommandEnd unnoted(Command.Docker docker) {
    boolean media = ports.adapters().containsKey(docker.note().backend());
    return media && docker.note().verb() == Note.Verb.START
        ? new CommandEnd.Failed("the start could not be noted in state_dir")
        : send(docker);
  }

  private CommandEnd send(Command.Docker docker) {
    String name = docker.container();
    try {
      return switch (docker.note().verb()) {
        case START -> ports.containers().start(name, docker.deadline());
        case STOP -> ports.containers().stop(name, docker.grace(), docker.deadline());
        case KILL -> ports.containers().kill(name, docker.deadline());
      };
    } catch (BackendException e) {
      return new CommandEnd.Unknown(message(e));
    }
  }

  void begin(Command.Begin begin) {
    writer.execute(
        () -> {
          Job job = begin.job();
          try {
            JobAdapter adapter = adapter(job);
            Job.Ticket ticket = adapter.newTicket(job.id(), job.attempts() + 1);
            Job written = job.attempted(ticket, clock.now().wall());
            ports.store().update(written);
            post.accept(new Event.Begun(begin.ask(), written));
          } catch (RuntimeException e) {
            post.accept(new Event.Saved(begin.ask(), job.id(), message(e)));
          }
        });
  }

  void save(Command.Save save) {
    writer.execute(
        () -> {
          try {
            ports.store().update(save.job());
            post.accept(new Event.Saved(save.ask(), save.job().id(), ""));
          } catch (RuntimeException e) {
            post.accept(new Event.Saved(save.ask(), save.job().id(), message(e)));
          }
        });
  }

  void accept(Command.Accept accept) {
    writer.execute(
        () -> {
          try {
            List<Job> jobs = ports.store().insertAll(accept.jobs(), accept.idempotencyKey());
            post.accept(new Event.Accepted(accept.request(), jobs, ""));
          } catch (RuntimeException e) {
            post.accept(new Event.Accepted(accept.request(), List.of(), message(e)));
          }
        });
  }

  /** A write that nobody waits for; a failure is told and costs nothing else. */
  void write(String what, Runnable write) {
    writer.execute(
        () -> {
          try {
            write.run();
          } catch (RuntimeException e) {
            LOG.warn("could not write {}: {}", what, message(e));
          }
        });
  }

  void ask(Command.Ask ask) {
    Job job = ask.job();
    String verb = ask.question().name().toLowerCase(java.util.Locale.ROOT);
    thread(
        verb,
        job.backend().value(),
        () -> {
          JobAnswer answer;
          try {
            answer = answer(ask);
          } catch (RuntimeException e) {
            LOG.warn("{} of job {} failed", verb, job.id(), e);
            answer = new JobAnswer.Unanswered(message(e));
          }
          post.accept(new Event.Answered(ask.ask(), job.id(), answer));
        });
  }

  private JobAnswer answer(Command.Ask ask) {
    Job job = ask.job();
    JobAdapter adapter = adapter(job);
    Job.Ticket ticket = job.ticket().orElseThrow();
    return switch (ask.question()) {
      case SUBMIT -> {
        Optional<JobRequest> request = ports.store().request(job.id());
        yield request.isPresent()
            ? adapter.submit(request.get(), ticket)
            : new JobAnswer.Rejected("its request is no longer kept");
      }
      case FOLLOW -> adapter.follow(ticket);
      case COLLECT -> adapter.collect(ticket, folder(job));
      case CANCEL -> {
        adapter.cancel(ticket);
        // An interrupt is only looked at between two steps: whether it worked, the server says.
        yield adapter.follow(ticket);
      }
    };
  }

  private Path folder(Job job) {
    return ports.resultsDir().resolve(job.id().value());
  }

  private JobAdapter adapter(Job job) {
    JobAdapter adapter = ports.adapters().get(job.backend());
    if (adapter == null) {
      throw new BackendException("no adapter for media backend " + job.backend());
    }
    return adapter;
  }

  void tellLog(Command.TellLog tell) {
    thread(
        "logs",
        tell.backend().value(),
        () -> {
          try {
            List<String> lines = ports.containers().lastLogLines(tell.container(), LOG_LINES);
            LOG.warn(
                "last log lines of container={} after \"{}\":{}",
                tell.container(),
                tell.text(),
                lines.isEmpty() ? " none" : "\n  " + String.join("\n  ", lines));
          } catch (BackendException e) {
            LOG.warn("the log of container={} cannot be had: {}", tell.container(), message(e));
          }
        });
  }

  private static void thread(String command, String backend, Runnable work) {
    Thread.ofVirtual().name("swapgate-" + command + "-" + backend).start(work);
  }

  private static String message(RuntimeException e) {
    return Optional.ofNullable(e.getMessage()).orElseGet(e::toString);
  }

  /** Lets the writes that were given finish, within 5 s. */
  @Override
  public void close() {
    writer.shutdown();
    try {
      if (!writer.awaitTermination(
          Duration.ofSeconds(5).toMillis(), java.util.concurrent.TimeUnit.MILLISECONDS)) {
        writer.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      writer.shutdownNow();
    }
  }
}
