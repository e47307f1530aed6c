package dev.swapgate.proxy.chat;

import dev.swapgate.gate.core.GateView;
import dev.swapgate.proxy.fallback.FallbackSettings;
import dev.swapgate.proxy.fallback.FallbackSettings.When;
import dev.swapgate.proxy.fallback.Provider;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The chat side while the turnstile is shut, with providers beside it. */
final class FallbackStreet implements AutoCloseable {
  final Street street;

  FallbackStreet(Provider... providers) throws IOException {
    this(settings(providers));
  }

  FallbackStreet(FallbackSettings settings) throws IOException {
    street = Street.beside(settings);
  }

  static FallbackSettings settings(Provider... providers) {
    return new FallbackSettings(
        Set.of(When.DURING_SWAP, When.DEGRADED), Map.of(), false, 3, 50, List.of(providers));
  }

  /** A whole request on its own connection, and what came of it. */
  Wire.Message ask(boolean streamed) throws IOException {
    try (Wire client = begin("/v1/chat/completions", streamed)) {
      return client.message();
    }
  }

  Wire.Message ask() throws IOException {
    return ask(false);
  }

  Wire begin(String path, boolean streamed) throws IOException {
    return begin(path, "{\"model\":\"local\",\"stream\":" + streamed + ",\"messages\":[]}");
  }

  Wire begin(String path, String body) throws IOException {
    return street
        .client()
        .send(
            "POST "
                + path
                + " HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                + "Authorization: Bearer the-clients-own\r\nCookie: the=clients\r\n"
                + "X-Api-Key: the-clients-too\r\nContent-Length: "
                + body.length()
                + "\r\n\r\n"
                + body);
  }

  void forward(long seconds) {
    street.clock.forward(Duration.ofSeconds(seconds));
  }

  void degraded() {
    street.gate.refusal = GateView.Refusal.DEGRADED;
  }

  /** Everything that status says is set aside: its key, kind and remaining seconds. */
  List<String> cooling() {
    List<String> shown = new ArrayList<>();
    for (Map<String, Object> provider : street.fallback.status(street.clock.now())) {
      add(shown, provider);
      ((List<?>) provider.get("keys")).forEach(one -> add(shown, (Map<?, ?>) one));
      ((List<?>) provider.get("models")).forEach(one -> add(shown, (Map<?, ?>) one));
    }
    return shown;
  }

  private static void add(List<String> shown, Map<?, ?> one) {
    if (one.containsKey("cooldown")) {
      Object left = one.containsKey("left_seconds") ? one.get("left_seconds") : "for ever";
      shown.add(one.get("cooldown") + " " + one.get("kind") + " " + left);
    }
  }

  @Override
  public void close() throws IOException {
    street.close();
  }
}
