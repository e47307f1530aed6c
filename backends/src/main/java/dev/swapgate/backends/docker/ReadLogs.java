package dev.swapgate.backends.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.model.Frame;
import dev.swapgate.gate.port.BackendException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The last lines a container wrote, to both its streams. */
final class ReadLogs {
  private final AskDocker docker;

  ReadLogs(AskDocker docker) {
    this.docker = docker;
  }

  List<String> last(String container, int lines) {
    ContainerName.check(container);
    return docker
        .ask("logs", container, client -> read(client, container, lines))
        .orElseThrow(
            () -> new BackendException("no log lines: Docker has no container " + container));
  }

  private static List<String> read(DockerClient client, String container, int lines)
      throws InterruptedException, ExecutionException {
    LogStream stream = new LogStream(new LogLines(lines));
    client
        .logContainerCmd(container)
        .withStdOut(true)
        .withStdErr(true)
        .withTail(lines)
        .exec(stream);
    return stream.whole.get();
  }

  /** The driver's own callback would log every container that is missing as an error. */
  private static final class LogStream extends ResultCallback.Adapter<Frame> {
    private final LogLines lines;
    private final CompletableFuture<List<String>> whole = new CompletableFuture<>();

    LogStream(LogLines lines) {
      this.lines = lines;
    }

    @Override
    public void onNext(Frame frame) {
      lines.add(frame.getStreamType(), frame.getPayload());
    }

    @Override
    public void onError(Throwable error) {
      whole.completeExceptionally(error);
    }

    @Override
    public void onComplete() {
      whole.complete(lines.lines());
    }
  }
}
