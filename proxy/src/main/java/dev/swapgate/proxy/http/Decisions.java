package dev.swapgate.proxy.http;

import dev.swapgate.gate.runtime.Gate;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Waits for what the gate decides, and says its refusals in HTTP. */
public final class Decisions {

  /** A decision takes one turn of the gate's loop and one write to the disk. */
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private Decisions() {}

  /**
   * Blocks until it is decided; for virtual threads only.
   *
   * @throws HttpProblem when the gate refuses, or says nothing in time
   */
  public static <T> T await(CompletionStage<T> decision) {
    try {
      return decision.toCompletableFuture().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw problem(e.getCause());
    } catch (TimeoutException e) {
      throw new HttpProblem(
          503,
          "no_decision",
          "the gate did not decide within " + LIMIT.toSeconds() + " s; it may still do it: look");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HttpProblem(503, "stopping", "swapgate is stopping");
    }
  }

  private static HttpProblem problem(@Nullable Throwable cause) {
    if (cause instanceof Gate.RefusedException refused) {
      String message = String.valueOf(refused.getMessage());
      return switch (refused.kind()) {
        case NOT_FOUND -> new HttpProblem(404, "not_found", message);
        case INVALID -> new HttpProblem(400, "invalid", message);
        case CONFLICT -> new HttpProblem(409, "conflict", message);
        case FULL -> new HttpProblem(429, "full", message);
        case STORAGE -> new HttpProblem(507, "storage", message);
      };
    }
    throw new IllegalStateException("the gate failed to decide", cause);
  }
}
