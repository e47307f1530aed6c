package dev.swapgate.backends.docker;

import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.command.InspectExecResponse;
import com.github.dockerjava.api.model.Frame;
import dev.swapgate.gate.port.BackendException;
import dev.swapgate.gate.port.Inside;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/** {@code /containers/{name}/exec} and {@code /exec/{id}/start|json}. */
final class RunInside implements Inside {
  private final AskDocker docker;

  RunInside(AskDocker docker) {
    this.docker = docker;
  }

  @Override
  public String prepare(String container, List<String> argv) {
    ContainerName.check(container);
    return docker
        .ask(
            "exec",
            container,
            client ->
                client.execCreateCmd(container).withCmd(argv.toArray(String[]::new)).exec().getId())
        .orElseThrow(
            () -> new BackendException("nothing is run: Docker has no container " + container));
  }

  /** Detached: its words go nowhere, and it outlives whoever began it. */
  @Override
  public void begin(String id) {
    var unused =
        docker
            .ask(
                "begin",
                id,
                client -> {
                  Answered answered = new Answered();
                  client.execStartCmd(id).withDetach(true).exec(answered);
                  return answered.whole.get();
                })
            .orElseThrow(
                () -> new BackendException("nothing is run: Docker knows no command " + id));
  }

  @Override
  public Optional<State> look(String id) {
    return docker.ask("look", id, client -> state(client.inspectExecCmd(id).exec()));
  }

  private static State state(InspectExecResponse seen) {
    boolean runs = Boolean.TRUE.equals(seen.isRunning());
    Long code = seen.getExitCodeLong();
    return new State(
        runs, runs || code == null ? OptionalInt.empty() : OptionalInt.of(code.intValue()));
  }

  private static final class Answered extends ResultCallback.Adapter<Frame> {
    private final CompletableFuture<Boolean> whole = new CompletableFuture<>();

    @Override
    public void onError(Throwable error) {
      whole.completeExceptionally(error);
    }

    @Override
    public void onComplete() {
      whole.complete(true);
    }
  }
}
