package dev.swapgate.backends.probe;

import dev.swapgate.backends.http.BoundedBody;
import dev.swapgate.backends.http.OneShot;
import dev.swapgate.backends.settings.BackendSettings;
import dev.swapgate.backends.settings.ReadinessSettings;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.ProbeResult;
import dev.swapgate.gate.port.BackendException;
import dev.swapgate.gate.port.ReadinessProbe;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Asks a backend's readiness path with one GET on a fresh connection. A port that takes a
 * connection says nothing: one engine listens before it loads and never answers, a published port
 * is accepted and then reset, a stopped container's old address is silent. All of that is {@link
 * ProbeResult.NotReady}, and so is a redirect. Neither header values (they may be keys) nor any
 * part of the body stand in a reason. Thread-safe.
 */
public final class HttpReadinessProbe implements ReadinessProbe {

  /** How much of a body is searched for the text it must contain. */
  static final int BODY_LIMIT_BYTES = 64 * 1024;

  private final Map<Backend.Id, BackendSettings> backends;

  public HttpReadinessProbe(List<BackendSettings> backends) {
    this.backends =
        backends.stream()
            .collect(Collectors.toUnmodifiableMap(BackendSettings::id, Function.identity()));
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException when no backend of that name was configured
   */
  @Override
  public ProbeResult probe(Backend.Id backend) {
    BackendSettings settings = backends.get(backend);
    if (settings == null) {
      throw new IllegalArgumentException("no readiness is configured for " + backend);
    }
    if (!settings.isServer()) {
      return new ProbeResult.Passed(); // Nobody can be asked; that it runs must do.
    }
    ReadinessSettings readiness = settings.readiness();
    int read = readiness.bodyContains().isEmpty() ? 0 : BODY_LIMIT_BYTES;
    try (var asked = OneShot.send(request(settings), BoundedBody.upTo(read), readiness.timeout())) {
      return judged(readiness, asked.response().statusCode(), asked.response().body());
    } catch (BackendException unanswered) {
      return new ProbeResult.NotReady(String.valueOf(unanswered.getMessage()));
    }
  }

  private static ProbeResult judged(
      ReadinessSettings readiness, int status, BoundedBody.Start body) {
    if (!readiness.accept().contains(status)) {
      String redirect = status / 100 == 3 ? " (a redirect, not followed)" : "";
      return new ProbeResult.NotReady(
          "status " + status + redirect + ", accepted " + new TreeSet<>(readiness.accept()));
    }
    if (!body.text().contains(readiness.bodyContains())) {
      return new ProbeResult.NotReady(
          "status "
              + status
              + ", but "
              + (body.cut() ? "the first " + BODY_LIMIT_BYTES + " bytes do" : "the body does")
              + " not contain '"
              + readiness.bodyContains()
              + "'");
    }
    return new ProbeResult.Passed();
  }

  private static HttpRequest request(BackendSettings settings) {
    ReadinessSettings readiness = settings.readiness();
    HttpRequest.Builder request;
    try {
      request = HttpRequest.newBuilder(URI.create(settings.url() + readiness.path())).GET();
    } catch (IllegalArgumentException odd) {
      throw new BackendException(
          "the readiness path '" + readiness.path() + "' is no path of a URL");
    }
    readiness
        .headers()
        .forEach(
            (name, value) -> {
              try {
                request.setHeader(name, value);
              } catch (IllegalArgumentException refused) {
                // The JDK's message quotes the value, which may be a key: neither told nor kept.
                throw new BackendException(
                    "the readiness header '"
                        + name
                        + "' cannot be sent: name or value not allowed");
              }
            });
    return request.build();
  }
}
