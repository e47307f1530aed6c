package dev.swapgate.backends.generic;

import dev.swapgate.backends.media.AnswerException;
import dev.swapgate.gate.core.JobAnswer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** One call under way on a thread of its own, which outlasts every question about it. */
final class RunningCall {
  private final CompletableFuture<JobAnswer> end = new CompletableFuture<>();
  private final Thread thread;

  private RunningCall(String name, Supplier<JobAnswer> work) {
    this.thread =
        Thread.ofVirtual()
            .name(name)
            .unstarted(
                () -> {
                  try {
                    end.complete(AnswerException.answering(work));
                  } catch (RuntimeException unforeseen) {
                    end.complete(new JobAnswer.Unanswered(unforeseen.toString()));
                  }
                });
  }

  static RunningCall start(String name, Supplier<JobAnswer> work) {
    RunningCall call = new RunningCall(name, work);
    call.thread.start();
    return call;
  }

  /** How it ended; empty while it runs. */
  Optional<JobAnswer> end() {
    return Optional.ofNullable(end.getNow(null));
  }

  /** Waits a while for its end. */
  Optional<JobAnswer> endWithin(Duration time) {
    try {
      return Optional.of(end.get(time.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException running) {
      return Optional.empty();
    } catch (ExecutionException impossible) {
      throw new IllegalStateException("a call only ever ends with an answer", impossible);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /** Hangs up. */
  void giveUp() {
    end.complete(new JobAnswer.Interrupted());
    thread.interrupt();
  }
}
