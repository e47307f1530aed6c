package dev.swapgate.backends.generic;

import dev.swapgate.backends.media.AnswerException;
import dev.swapgate.backends.recipe.RunToExit;
import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.gate.core.ContainerSighting;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobAnswer;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.port.BackendException;
import dev.swapgate.gate.port.Containers;
import dev.swapgate.gate.port.Inside;
import dev.swapgate.gate.port.JobAdapter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A command that does a job inside a container which the gate has started and which stays up
 * between jobs. Docker's id of the command lies beside the request before the command begins, so
 * any swapgate finds it again, and one command is never begun twice. It dies with its container;
 * that is how it is cancelled. Thread-safe.
 */
public final class InsideAdapter implements JobAdapter {
  private static final String KIND = "inside";

  /** What a shell or Docker makes of SIGINT, SIGKILL and SIGTERM. */
  private static final Set<Integer> SIGNALS = Set.of(130, 137, 143);

  private final RunToExit recipe;
  private final WorkFolder folder;
  private final String container;
  private final Containers containers;
  private final long maxFileBytes;

  public InsideAdapter(
      MediaSettings settings, MediaSettings.Type.Exits type, Containers containers) {
    this.recipe = type.recipe();
    this.folder = new WorkFolder(type.folder(), type.recipe().results());
    this.container = settings.backend().container();
    this.containers = containers;
    this.maxFileBytes = settings.maxFileBytes();
  }

  /**
   * Where a command is, as it lies beside its request.
   *
   * @param id Docker's
   * @param run of its container
   */
  private record Place(String id, String run) {
    static Place read(WorkFolder.Laid laid) {
      String[] parts = laid.runBefore().split(" ", 2);
      return new Place(parts[0], parts.length == 2 ? parts[1] : "");
    }

    String written() {
      return id + " " + run;
    }
  }

  @Override
  public Optional<String> refusal(JobRequest request) {
    return FolderJob.refusal(request, recipe, folder);
  }

  @Override
  public String shape(JobRequest request) {
    return FolderJob.shape(request, recipe);
  }

  @Override
  public Job.Ticket newTicket(Job.Id job, int attempt) {
    return GenericTicket.fresh(KIND).written();
  }

  @Override
  public JobAnswer submit(JobRequest request, Job.Ticket ticket) {
    return AnswerException.answering(
        () -> {
          String run = run();
          Optional<Place> before =
              folder.laid().map(Place::read).filter(place -> place.run().equals(run));
          if (before.isPresent() && mayRun(before.get())) {
            return new JobAnswer.Unanswered("another command still runs in " + container);
          }
          String id = docker(() -> inside().prepare(container, FolderJob.words(request, recipe)));
          Place place = new Place(id, run);
          Optional<JobAnswer> refused =
              FolderJob.laid(request, recipe, folder, mark(ticket), place.written());
          if (refused.isPresent()) {
            return refused.get();
          }
          begin(id);
          return new JobAnswer.Accepted(ticket, "");
        });
  }

  private boolean mayRun(Place place) {
    return docker(() -> inside().look(place.id())).map(Inside.State::runs).orElse(true);
  }

  private void begin(String id) {
    docker(
        () -> {
          inside().begin(id);
          return id;
        });
  }

  @Override
  public JobAnswer follow(Job.Ticket ticket) {
    return AnswerException.answering(() -> state(ticket));
  }

  private JobAnswer state(Job.Ticket ticket) {
    Optional<WorkFolder.Laid> laid = folder.laid();
    if (laid.isEmpty() || !laid.get().mark().equals(mark(ticket))) {
      return new JobAnswer.NeverCame();
    }
    Place place = Place.read(laid.get());
    Optional<Inside.State> seen = docker(() -> inside().look(place.id()));
    if (seen.isPresent() && seen.get().exitCode().isPresent()) {
      return ended(seen.get().exitCode().getAsInt());
    }
    if (!place.run().equals(run())) {
      return new JobAnswer.NotKnown();
    }
    if (seen.isEmpty()) {
      return new JobAnswer.Unanswered(
          "Docker no longer knows the command that was begun in "
              + container
              + "; only the end of the container proves that it is over");
    }
    if (!seen.get().runs()) {
      begin(place.id()); // Whoever made it ready died before, or nobody knows whether it was begun.
    }
    return new JobAnswer.Working(Double.NaN);
  }

  private JobAnswer ended(int code) {
    if (code == 0) {
      return new JobAnswer.Finished();
    }
    return SIGNALS.contains(code)
        ? new JobAnswer.NotKnown()
        : new JobAnswer.Errored(
            "the command in %s ended with exit code %d; what it says is kept only where it writes"
                    .formatted(container, code)
                + " it itself, as in a file in work_dir");
  }

  @Override
  public JobAnswer collect(Job.Ticket ticket, Path into) {
    return AnswerException.answering(
        () -> {
          if (!(state(ticket) instanceof JobAnswer.Finished)) {
            throw AnswerException.uncollectable("its command has not ended well");
          }
          return FolderJob.collected(folder, into, maxFileBytes);
        });
  }

  /** {@inheritDoc} One that runs ends with its container, which the gate stops. */
  @Override
  public JobAnswer cancel(Job.Ticket ticket) {
    return AnswerException.answering(
        () -> {
          JobAnswer state = state(ticket);
          return state instanceof JobAnswer.Working || state instanceof JobAnswer.Unanswered
              ? state
              : new JobAnswer.Interrupted();
        });
  }

  private Inside inside() {
    return containers.inside();
  }

  private static <T> T docker(Supplier<T> question) {
    try {
      return question.get();
    } catch (BackendException silent) {
      throw AnswerException.unanswered("Docker: " + silent.getMessage());
    }
  }

  /** The present run of the container. */
  private String run() {
    ContainerSighting seen = docker(() -> containers.look(container));
    if (seen.isDown()) {
      throw AnswerException.unanswered(container + " does not run");
    }
    return seen.id() + " " + seen.startedAt().map(String::valueOf).orElse("never");
  }

  private static String mark(Job.Ticket ticket) {
    return GenericTicket.read(KIND, ticket).map(GenericTicket::mark).orElse("");
  }
}
