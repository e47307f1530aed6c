package dev.swapgate.backends.generic;

import dev.swapgate.backends.media.AnswerException;
import dev.swapgate.backends.media.Json;
import dev.swapgate.backends.recipe.RunToExit;
import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.gate.core.ContainerSighting;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobAnswer;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.port.BackendException;
import dev.swapgate.gate.port.Containers;
import dev.swapgate.gate.port.JobAdapter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A container that is itself the job. Submitted is a job when its request lies in the container's
 * folder; the gate then starts the container, and its exit is the job's end: code 0 is success. An
 * exit by a signal that nobody of us sent is no word about the job: the attempt is {@link
 * JobAnswer.NotKnown}. Only Docker is asked, never the container. Thread-safe.
 */
public final class ExecAdapter implements JobAdapter {
  private static final String KIND = "exec";

  /** What a shell or Docker makes of SIGINT, SIGKILL and SIGTERM. */
  private static final Set<Integer> SIGNALS = Set.of(130, 137, 143);

  private static final int LAST_LINES = 4;
  private static final int REASON_LIMIT = 400;

  private final RunToExit recipe;
  private final WorkFolder folder;
  private final String container;
  private final Containers containers;
  private final long maxFileBytes;

  public ExecAdapter(MediaSettings settings, MediaSettings.Type.Exits type, Containers containers) {
    this.recipe = type.recipe();
    this.folder = new WorkFolder(type.folder(), type.recipe().results());
    this.container = settings.backend().container();
    this.containers = containers;
    this.maxFileBytes = settings.maxFileBytes();
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

  /** {@inheritDoc} Nothing runs yet when it returns. */
  @Override
  public JobAnswer submit(JobRequest request, Job.Ticket ticket) {
    return AnswerException.answering(
        () -> {
          ContainerSighting seen = look();
          if (!seen.isDown()) {
            return new JobAnswer.Unanswered(container + " still runs for something else");
          }
          return FolderJob.laid(request, recipe, folder, mark(ticket), run(seen))
              .orElseGet(() -> new JobAnswer.Accepted(ticket, ""));
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
    ContainerSighting seen = look();
    boolean ranSince = seen.startedAt().isPresent() && !run(seen).equals(laid.get().runBefore());
    if (!seen.isDown()) {
      return ranSince
          ? new JobAnswer.Working(Double.NaN)
          : new JobAnswer.Unanswered(container + " runs since before the job");
    }
    return ranSince ? ended(seen) : new JobAnswer.Waiting();
  }

  private JobAnswer ended(ContainerSighting seen) {
    OptionalInt code = seen.exitCode();
    if (code.isEmpty()) {
      return new JobAnswer.Unanswered("Docker does not tell the exit code of " + container);
    }
    if (code.getAsInt() == 0) {
      return new JobAnswer.Finished();
    }
    if (seen.oomKilled()) {
      return new JobAnswer.Errored(container + " was killed for want of host memory");
    }
    if (SIGNALS.contains(code.getAsInt())) {
      return new JobAnswer.NotKnown();
    }
    return new JobAnswer.Errored(
        "%s ended with exit code %d%s".formatted(container, code.getAsInt(), lastWords()));
  }

  private String lastWords() {
    try {
      List<String> lines = containers.lastLogLines(container, LAST_LINES);
      String words = Json.line(String.join(" | ", lines), REASON_LIMIT);
      return words.isBlank() ? "" : ": " + words;
    } catch (BackendException untold) {
      return "";
    }
  }

  @Override
  public JobAnswer collect(Job.Ticket ticket, Path into) {
    return AnswerException.answering(
        () -> {
          if (!(state(ticket) instanceof JobAnswer.Finished)) {
            throw AnswerException.uncollectable("its container has run for something else since");
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
          if (state instanceof JobAnswer.Waiting) {
            folder.clear();
          }
          return state instanceof JobAnswer.Working || state instanceof JobAnswer.Unanswered
              ? state
              : new JobAnswer.Interrupted();
        });
  }

  private ContainerSighting look() {
    ContainerSighting seen;
    try {
      seen = containers.look(container);
    } catch (BackendException silent) {
      throw AnswerException.unanswered("Docker: " + silent.getMessage());
    }
    if (seen.state() == ContainerSighting.State.MISSING) {
      throw AnswerException.unanswered("no container is named " + container);
    }
    return seen;
  }

  /** Which run of which container was its last; a container made anew has another id. */
  private static String run(ContainerSighting seen) {
    return seen.id() + " " + seen.startedAt().map(String::valueOf).orElse("never");
  }

  private static String mark(Job.Ticket ticket) {
    return GenericTicket.read(KIND, ticket).map(GenericTicket::mark).orElse("");
  }
}
