package dev.swapgate.backends.docker;

import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.model.Event;
import dev.swapgate.gate.port.Containers.Hint;
import java.io.Closeable;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One connection's worth of events. */
final class EventStream extends ResultCallback.Adapter<Event> {
  /** Events may have been missed. */
  static final Hint MISSED = new Hint("", false);

  private final Consumer<Hint> hint;
  private final CompletableFuture<Boolean> begun = new CompletableFuture<>();
  private final CompletableFuture<String> ended = new CompletableFuture<>();

  EventStream(Consumer<Hint> hint) {
    this.hint = hint;
  }

  @Override
  public void onStart(Closeable connection) {
    super.onStart(connection);
    begun.complete(true);
    hint.accept(MISSED);
  }

  @Override
  public void onNext(Event event) {
    String action = event.getAction() == null ? "" : event.getAction();
    // A health check makes four events each time it runs, and none of them tells of a change.
    if (event.getActor() == null || action.startsWith("exec_") || action.startsWith("health_")) {
      return;
    }
    Map<String, String> attributes = event.getActor().getAttributes();
    if (attributes != null) {
      // An event "kill" is any signal somebody sent, that of a stop too.
      boolean signalled = action.equals("kill");
      hintName(attributes.get("name"), signalled);
      hintName(attributes.get("oldName"), signalled);
    }
  }

  private void hintName(@Nullable String name, boolean signalled) {
    if (name != null && !name.isEmpty()) {
      hint.accept(new Hint(name.startsWith("/") ? name.substring(1) : name, signalled));
    }
  }

  @Override
  public void onError(Throwable error) {
    end(Causes.of(error));
  }

  @Override
  public void onComplete() {
    end("the daemon ended the stream");
  }

  private void end(String why) {
    ended.complete(why);
    begun.complete(false);
  }

  /** Waits for the daemon's answer; false when the call failed or the deadline passed. */
  boolean begins(Duration deadline) throws InterruptedException {
    CompletableFuture<Boolean> inTime =
        begun.copy().completeOnTimeout(false, deadline.toMillis(), TimeUnit.MILLISECONDS);
    return wait(inTime);
  }

  /** Waits for its end: why it ended. */
  String end() throws InterruptedException {
    return wait(ended);
  }

  Optional<String> endedAlready() {
    return Optional.ofNullable(ended.getNow(null));
  }

  private static <T> T wait(CompletableFuture<T> signal) throws InterruptedException {
    try {
      return signal.get();
    } catch (ExecutionException impossible) {
      throw new IllegalStateException("a signal that never fails has failed", impossible);
    }
  }
}
