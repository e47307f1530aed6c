package dev.swapgate.backends.http;

import dev.swapgate.gate.port.BackendException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One request on a connection of its own. A backend comes and goes with every swap, so a pooled
 * connection would more often than not lead to a container that is gone; here nothing is reused,
 * nothing is sent twice, no redirect is followed and no system proxy is asked.
 *
 * <p>Closing it ends the connection, whatever still runs on it.
 */
public final class OneShot<T> implements AutoCloseable {
  private final HttpClient client;
  private final HttpResponse<T> response;

  private OneShot(HttpClient client, HttpResponse<T> response) {
    this.client = client;
    this.response = response;
  }

  /**
   * Sends it and waits until {@code handler} has its body.
   *
   * @param limit for all of it: connecting, sending, and what the handler waits for
   * @throws BackendException when there was no such answer; the message is what was seen, in plain
   *     words, and holds nothing of the request
   */
  public static <T> OneShot<T> send(
      HttpRequest request, HttpResponse.BodyHandler<T> handler, Duration limit) {
    HttpClient client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .proxy(HttpClient.Builder.NO_PROXY)
            .connectTimeout(limit.multipliedBy(3).dividedBy(4))
            .build();
    boolean answered = false;
    CompletableFuture<HttpResponse<T>> pending = client.sendAsync(request, handler);
    try {
      HttpResponse<T> response = pending.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      answered = true;
      return new OneShot<>(client, response);
    } catch (TimeoutException late) {
      throw new BackendException(
          "connected, but no whole answer within " + limit.toMillis() + " ms", late);
    } catch (ExecutionException failed) {
      throw new BackendException(Seen.words(failed.getCause()), failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new BackendException("interrupted while waiting for the answer", interrupted);
    } finally {
      if (!answered) {
        pending.cancel(true);
        client.shutdownNow();
      }
    }
  }

  public HttpResponse<T> response() {
    return response;
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
