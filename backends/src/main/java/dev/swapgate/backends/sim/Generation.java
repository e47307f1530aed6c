package dev.swapgate.backends.sim;

import java.io.IOException;
import java.time.Duration;

/**
 * Generates an answer token by token, as slowly as asked, and stops when the client leaves.
 *
 * <p>A request can overrule the engine's settings: {@code X-Sim-Prefill}, {@code
 * X-Sim-Token-Delay}, {@code X-Sim-Tokens}, and {@code X-Sim-Fault}: {@code status:<code>} answers
 * with an error, {@code reset:<n>} and {@code end:<n>} break the stream after n tokens, with a
 * reset or a plain end; n = -1 is before the first byte.
 */
final class Generation {
  private static final int MOST_TOKENS = 1_000_000;

  private final SimSettings settings;
  private final String engine;
  private final EngineStats stats;

  Generation(SimSettings settings, String engine, EngineStats stats) {
    this.settings = settings;
    this.engine = engine;
    this.stats = stats;
  }

  void answer(HttpExchange exchange, ChatRequest request, ReplyShape shape) throws IOException {
    stats.requests.incrementAndGet();
    stats.running.incrementAndGet();
    boolean finished = false;
    try {
      finished = generate(exchange, request, shape, Fault.of(exchange.request()));
    } finally {
      stats.running.decrementAndGet();
      (finished ? stats.completed : stats.aborted).incrementAndGet();
    }
  }

  /** The text of one token; the first names the engine, so that a test sees who answered. */
  static String token(String engine, int index) {
    return index == 0 ? engine : " t" + index;
  }

  private boolean generate(
      HttpExchange exchange, ChatRequest request, ReplyShape shape, Fault fault)
      throws IOException {
    if (!exchange.pause(duration(exchange, "Prefill", Duration.ZERO))) {
      return false;
    }
    if (fault.kind().equals("status")) {
      error(exchange, fault.value());
      return true;
    }
    if (fault.strikesAt(-1)) {
      fault.strike(exchange);
      return true;
    }
    int tokens = tokens(exchange, request);
    Duration delay = duration(exchange, "Token-Delay", Duration.ofMillis(5));
    return request.stream()
        ? stream(exchange, shape, fault, tokens, delay)
        : whole(exchange, shape, tokens, delay);
  }

  private boolean stream(
      HttpExchange exchange, ReplyShape shape, Fault fault, int tokens, Duration delay)
      throws IOException {
    exchange.stream(200, shape.streamType());
    for (String part : shape.opening()) {
      exchange.send(part);
    }
    for (int i = 0; i < tokens; i++) {
      if (fault.strikesAt(i)) {
        fault.strike(exchange);
        return true;
      }
      if (!exchange.pause(delay)) {
        return false;
      }
      stats.tokens.incrementAndGet();
      exchange.send(shape.token(token(engine, i)));
    }
    for (String part : shape.closing(tokens)) {
      exchange.send(part);
    }
    exchange.end();
    return true;
  }

  private boolean whole(HttpExchange exchange, ReplyShape shape, int tokens, Duration delay)
      throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < tokens; i++) {
      if (!exchange.pause(delay)) {
        return false;
      }
      stats.tokens.incrementAndGet();
      text.append(token(engine, i));
    }
    exchange.json(200, shape.whole(text.toString(), tokens));
    return true;
  }

  private int tokens(HttpExchange exchange, ChatRequest request) {
    int wanted =
        exchange
            .request()
            .header("X-Sim-Tokens")
            .map(Integer::parseInt)
            .orElseGet(() -> settings.number("SIM_TOKENS", 16));
    int allowed = request.maxTokens() > 0 ? request.maxTokens() : MOST_TOKENS;
    return Math.min(wanted, allowed);
  }

  private Duration duration(HttpExchange exchange, String name, Duration otherwise) {
    String variable = "SIM_" + name.toUpperCase(java.util.Locale.ROOT).replace('-', '_');
    return exchange
        .request()
        .header("X-Sim-" + name)
        .map(value -> SimSettings.parseDuration("X-Sim-" + name, value))
        .orElseGet(() -> settings.duration(variable, otherwise));
  }

  private static void error(HttpExchange exchange, int status) throws IOException {
    exchange
        .with("X-Sim-Own-Error", "true")
        .json(
            status,
            Json.object(
                "error",
                Json.object(
                    "message",
                    "the engine itself says " + status,
                    "type",
                    "engine_error",
                    "param",
                    null,
                    "code",
                    status)));
  }

  private record Fault(String kind, int value) {

    static Fault of(HttpRequest request) {
      String[] words = request.header("X-Sim-Fault").orElse("none:-2").split(":", 2);
      return new Fault(words[0], words.length > 1 ? Integer.parseInt(words[1]) : 0);
    }

    boolean strikesAt(int token) {
      return (kind.equals("reset") || kind.equals("end")) && value == token;
    }

    void strike(HttpExchange exchange) throws IOException {
      if (kind.equals("reset")) {
        exchange.reset();
      } else {
        exchange.drop();
      }
    }
  }
}
