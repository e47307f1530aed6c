package dev.swapgate.proxy.chat;

import dev.swapgate.proxy.fallback.Fallback;
import dev.swapgate.proxy.fallback.FallbackSettings;
import dev.swapgate.proxy.http.Listener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** The chat side in front of one scripted engine, with everything but the gate as in production. */
final class Street implements AutoCloseable {
  final TurnedClock clock = new TurnedClock();
  final FakeGate gate = new FakeGate(clock);
  final ScriptedEngine engine = new ScriptedEngine();
  final Path stateDir;
  final Fallback fallback;
  final AdmissionHandler chat;
  final Listener listener;

  Street() throws IOException {
    this(
        Duration.ZERO, Map.of(), ChatSettings.Limits.standard(), Files.createTempDirectory("chat"));
  }

  Street(Duration tailHold, Map<String, String> models, ChatSettings.Limits limits, Path stateDir)
      throws IOException {
    this(tailHold, models, limits, stateDir, -1, FallbackSettings.off());
  }

  /** In front of another engine, on this port. */
  static Street before(int enginePort) throws IOException {
    return new Street(
        Duration.ZERO,
        Map.of(),
        ChatSettings.Limits.standard(),
        Files.createTempDirectory("chat"),
        enginePort,
        FallbackSettings.off());
  }

  /** With fallback providers. */
  static Street beside(FallbackSettings fallback) throws IOException {
    return new Street(
        Duration.ZERO,
        Map.of(),
        ChatSettings.Limits.standard(),
        Files.createTempDirectory("chat"),
        -1,
        fallback);
  }

  private Street(
      Duration tailHold,
      Map<String, String> models,
      ChatSettings.Limits limits,
      Path stateDir,
      int enginePort,
      FallbackSettings fallbackSettings)
      throws IOException {
    this.stateDir = stateDir;
    URI url = URI.create("http://127.0.0.1:" + (enginePort < 0 ? engine.port() : enginePort));
    ChatSettings settings =
        new ChatSettings(
            Map.of(FakeGate.ENGINE, new ChatSettings.EngineSettings(url, models)),
            tailHold,
            limits,
            stateDir);
    fallback = new Fallback(fallbackSettings, () -> 0);
    chat = AdmissionHandler.open(gate, clock, settings, ChatWitness.NONE, () -> fallback);
    listener = Listener.open(new InetSocketAddress("127.0.0.1", 0), 4096, chat);
  }

  Wire client() throws IOException {
    return Wire.to(listener.address());
  }

  /** Spins until it is so; fails after 10 s. */
  void until(BooleanSupplier so, String what) {
    Duration deadline = clock.now().steady().plusSeconds(10);
    while (!so.getAsBoolean()) {
      if (clock.now().steady().compareTo(deadline) > 0) {
        throw new AssertionError("not within 10 s: " + what);
      }
      Thread.yield();
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    engine.close();
    fallback.close();
  }
}
