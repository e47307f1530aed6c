package dev.swapgate.backends.docker;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs each call on a virtual thread of its own and waits for it no longer than its deadline. A
 * call that is late is interrupted, which closes its connection; it gives its place back when it
 * has really ended. Thread-safe.
 */
final class TimedCalls implements AutoCloseable {
  private final int limit;
  private final Semaphore places;
  private final Set<Thread> underWay = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * @param limit how many calls may be under way at once, abandoned ones that hang included
   */
  TimedCalls(int limit) {
    this.limit = limit;
    this.places = new Semaphore(limit);
  }

  <T> CallEnd<T> call(String threadName, Duration deadline, Callable<T> call) {
    if (closed) {
      return new CallEnd.NotBegun<>("swapgate is shutting down");
    }
    CompletableFuture<T> answer = new CompletableFuture<>();
    AtomicBoolean decided = new AtomicBoolean();
    Thread thread = Thread.ofVirtual().name(threadName).unstarted(() -> run(call, answer, decided));
    underWay.add(thread);
    thread.start();
    return await(answer, deadline, thread, decided);
  }

  /**
   * @param decided set by whoever comes first: the call when it begins, the caller when it gives up
   */
  private <T> void run(Callable<T> call, CompletableFuture<T> answer, AtomicBoolean decided) {
    try {
      places.acquire();
      try {
        if (decided.compareAndSet(false, true)) {
          answer.complete(call.call());
        }
      } finally {
        places.release();
      }
    } catch (Throwable error) {
      answer.completeExceptionally(error);
    } finally {
      underWay.remove(Thread.currentThread());
    }
  }

  private <T> CallEnd<T> await(
      CompletableFuture<T> answer, Duration deadline, Thread thread, AtomicBoolean decided) {
    try {
      return new CallEnd.Answered<>(answer.get(deadline.toNanos(), TimeUnit.NANOSECONDS));
    } catch (ExecutionException threw) {
      return new CallEnd.Threw<>(threw.getCause() == null ? threw : threw.getCause());
    } catch (TimeoutException late) {
      boolean neverBegun = decided.compareAndSet(false, true);
      thread.interrupt();
      return neverBegun
          ? new CallEnd.NotBegun<>(limit + " earlier calls to Docker, the limit, still hang")
          : new CallEnd.Late<>(deadline);
    } catch (InterruptedException interrupted) {
      thread.interrupt();
      Thread.currentThread().interrupt();
      return new CallEnd.Threw<>(interrupted);
    }
  }

  /** Abandons what is under way; the daemon goes on with it. */
  @Override
  public void close() {
    closed = true;
    underWay.forEach(Thread::interrupt);
  }
}
