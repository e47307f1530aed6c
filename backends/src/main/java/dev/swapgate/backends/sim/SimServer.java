package dev.swapgate.backends.sim;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * The life that all simulators share: memory at the first instruction, a time of loading, then a
 * server that answers until it is ended.
 *
 * <p>A file {@code fault-<name>} in the card's directory changes the next start: {@code exit} (ends
 * with 1 after loading), {@code never-ready}, or {@code load:<duration>}. As long as it says {@code
 * answer:500}, {@code answer:nonsense} or {@code flap} (every second one a 503), the answers are
 * such.
 */
final class SimServer implements AutoCloseable {
  private static final Duration LOOK_AT_CARD = Duration.ofMillis(50);
  private static final int TERMINATED = 143;

  private final SimSettings settings;
  private final String name;
  private final int defaultPort;
  private final Optional<PretendCard> card;
  private final Optional<Claim> claim;
  private final AtomicInteger flaps = new AtomicInteger();
  private volatile boolean ready;
  private volatile Optional<HttpListener> listener = Optional.empty();

  /** The server could not come up; its message is what the real one would print. */
  static final class LoadFailure extends RuntimeException {
    LoadFailure(String message) {
      super(message);
    }

    LoadFailure(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Claims the memory, before anything else.
   *
   * @throws CardException.Full when the card has not got that much
   */
  SimServer(SimSettings settings, String defaultName, int defaultPort, int mib) {
    this.settings = settings;
    this.name = settings.text("SIM_NAME", defaultName);
    this.defaultPort = defaultPort;
    this.card = settings.card();
    this.claim = card.map(found -> found.claim(name, mib));
  }

  String name() {
    return name;
  }

  Optional<Claim> claim() {
    return claim;
  }

  int port() {
    return listener.map(HttpListener::port).orElse(0);
  }

  int openConnections() {
    return listener.map(HttpListener::openConnections).orElse(0);
  }

  /**
   * Loads, then serves. Returns when the server is ready.
   *
   * @param watchesMemory whether loading fails when free memory rises meanwhile
   * @throws LoadFailure when it does, or when a fault says so
   */
  void open(HttpListener.Handler answering, boolean watchesMemory) {
    HttpListener.Handler handler = exchange -> answerOrFault(answering, exchange);
    String whileLoading = settings.text("SIM_WHILE_LOADING", "refuse");
    switch (whileLoading) {
      case "refuse" -> load(watchesMemory);
      case "hang" -> {
        listener = Optional.of(HttpListener.bind(settings, defaultPort));
        load(watchesMemory);
      }
      case "503" -> {
        HttpListener early = HttpListener.bind(settings, defaultPort);
        listener = Optional.of(early);
        early.serve(
            exchange -> {
              if (ready) {
                handler.handle(exchange);
              } else {
                loadingAnswer(exchange);
              }
            });
        load(watchesMemory);
      }
      default ->
          throw new IllegalArgumentException(
              "SIM_WHILE_LOADING=" + whileLoading + " is none of refuse, hang, 503");
    }
    HttpListener bound = listener.orElseGet(() -> HttpListener.bind(settings, defaultPort));
    listener = Optional.of(bound);
    ready = true;
    if (!whileLoading.equals("503")) {
      bound.serve(handler);
    }
    System.out.println(name + " is ready, listening on port " + bound.port());
  }

  private void answerOrFault(HttpListener.Handler answering, HttpExchange exchange)
      throws IOException {
    switch (fault()) {
      case "answer:500" -> exchange.text(500, "Internal Server Error");
      case "answer:nonsense" -> exchange.text(200, "<html>this is not what was asked for");
      case "flap" -> {
        if (flaps.incrementAndGet() % 2 == 0) {
          loadingAnswer(exchange);
        } else {
          answering.handle(exchange);
        }
      }
      default -> answering.handle(exchange);
    }
  }

  private static void loadingAnswer(HttpExchange exchange) throws IOException {
    exchange.json(
        503,
        Json.object(
            "error",
            Json.object("message", "Loading model", "type", "unavailable_error", "code", 503)));
  }

  private void load(boolean watchesMemory) {
    String fault = fault();
    Duration time =
        fault.startsWith("load:")
            ? SimSettings.parseDuration("load", fault.substring("load:".length()))
            : settings.duration("SIM_LOAD_TIME", Duration.ofMillis(300));
    if (fault.equals("never-ready")) {
      Pause.forEver();
    }
    int freeAtStart = claim.map(Claim::freeMibAfterClaim).orElse(0);
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
      Pause.of(Duration.ofNanos(Math.min(left, LOOK_AT_CARD.toNanos())));
      if (watchesMemory) {
        failIfMemoryRose(freeAtStart);
      }
    }
    if (fault.equals("exit")) {
      throw new LoadFailure(
          "RuntimeError: Engine core initialization failed (a fault was asked for)");
    }
  }

  private void failIfMemoryRose(int freeAtStart) {
    int free = card.map(PretendCard::freeMib).orElse(freeAtStart);
    if (free > freeAtStart) {
      claim.ifPresent(Claim::failed);
      throw new LoadFailure(
          "AssertionError: Error in memory profiling. Initial free memory %d MiB, current free"
                  .formatted(freeAtStart)
              + " memory %d MiB: another process released memory while this one was loading."
                  .formatted(free));
    }
  }

  private String fault() {
    if (card.isEmpty()) {
      return "";
    }
    Path file = card.get().directory().resolve("fault-" + name);
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return "";
    }
  }

  /**
   * Says what SIGTERM does: by {@code SIM_IGNORE_TERM} nothing ({@code true}) or nothing while
   * loading ({@code loading}); else an end within {@code SIM_TERM_DRAIN} with {@code
   * SIM_TERM_EXIT}.
   */
  void onTerminate(IntSupplier running) {
    Thread hook = new Thread(() -> terminate(running), "sim-terminate");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void terminate(IntSupplier running) {
    String ignore = settings.text("SIM_IGNORE_TERM", "false");
    if (ignore.equals("true") || ignore.equals("1") || (ignore.equals("loading") && !ready)) {
      // A shutdown hook that never returns: everything goes on until SIGKILL.
      System.out.println(name + " ignores SIGTERM");
      Pause.forEver();
    }
    listener.ifPresent(HttpListener::stopAccepting);
    long end = System.nanoTime() + settings.duration("SIM_TERM_DRAIN", Duration.ZERO).toNanos();
    while (running.getAsInt() > 0 && System.nanoTime() < end) {
      Pause.of(Duration.ofMillis(20));
    }
    exit(settings.number("SIM_TERM_EXIT", TERMINATED));
  }

  /** Begins a simulator; ends the process as the real one would when it cannot come up. */
  static void begin(Runnable simulator) {
    try {
      simulator.run();
    } catch (CardException.Full e) {
      System.err.println("torch.OutOfMemoryError: CUDA out of memory. " + e.getMessage());
      exit(1);
    } catch (RuntimeException e) {
      System.err.println(e.getMessage());
      exit(1);
    }
  }

  /** Ends the process with this code, past the hook that SIGTERM runs. */
  static void exit(int code) {
    System.out.flush();
    System.err.flush();
    Runtime.getRuntime().halt(code);
  }

  @Override
  public void close() {
    listener.ifPresent(HttpListener::close);
    claim.ifPresent(Claim::close);
  }
}
