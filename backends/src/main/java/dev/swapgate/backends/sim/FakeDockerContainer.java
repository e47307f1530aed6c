package dev.swapgate.backends.sim;

import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One container of the fake Docker API. Answers, effects and the order of events are those of
 * Docker 20.10.24. One thing differs: a process that has no handler for SIGTERM ends by it, while
 * Docker's PID 1 ignores it unless the container has an init. Thread-safe.
 */
final class FakeDockerContainer {
  private static final Duration AFTER_KILL = Duration.ofSeconds(10);
  private static final Duration FOR_EVER = Duration.ofDays(1000);

  final String id;
  final String name;
  final FakeDockerLog log = new FakeDockerLog();
  private final FakeDockerSpec spec;
  private final FakeDockerEvents events;
  private final Consumer<FakeDockerContainer> remove;
  private @Nullable FakeDockerProcess process;
  private CompletableFuture<Integer> nextExit = new CompletableFuture<>();
  private FakeDockerState state = FakeDockerState.CREATED;

  /**
   * @param remove takes it away, called after each end of one made with {@code --rm}
   */
  FakeDockerContainer(
      String id,
      String name,
      FakeDockerSpec spec,
      FakeDockerEvents events,
      Consumer<FakeDockerContainer> remove) {
    this.id = id;
    this.name = name;
    this.spec = spec;
    this.events = events;
    this.remove = remove;
    publish("create", Map.of());
  }

  synchronized FakeDockerAnswer start() {
    if (state.paused()) {
      return FakeDockerAnswer.error(409, "cannot start a paused container, try unpause instead");
    }
    if (process != null) {
      return FakeDockerAnswer.NOT_MODIFIED;
    }
    try {
      process =
          FakeDockerProcess.start(
              spec.command(), spec.environment(id), new File(spec.folder()), log, this::ended);
    } catch (IOException failed) {
      state = state.failed(127, String.valueOf(failed.getMessage()));
      return FakeDockerAnswer.error(400, "failed to create task: " + failed.getMessage());
    }
    state = state.running(process.pid(), Instant.now());
    publish("start", Map.of());
    return FakeDockerAnswer.DONE;
  }

  private synchronized void ended(int exitCode) {
    state = state.exited(exitCode, Instant.now());
    process = null;
    publish("die", Map.of("exitCode", String.valueOf(exitCode)));
    nextExit.complete(exitCode);
    nextExit = new CompletableFuture<>();
    if (Boolean.TRUE.equals(spec.hostConfig().get("AutoRemove"))) {
      Thread.ofVirtual().name("fake-docker-remove").start(() -> remove.accept(this));
    }
  }

  /**
   * @param seconds negative for no kill at all; null for the container's own
   */
  FakeDockerAnswer stop(@Nullable Integer seconds) {
    FakeDockerProcess run = running();
    if (run == null) {
      return FakeDockerAnswer.NOT_MODIFIED;
    }
    int grace = seconds == null ? spec.stopTimeoutSeconds() : seconds;
    send(run, spec.stopSignal());
    thaw();
    if (!run.awaitEnd(grace < 0 ? FOR_EVER : Duration.ofSeconds(grace))) {
      send(run, "KILL");
      if (!run.awaitEnd(AFTER_KILL)) {
        return FakeDockerAnswer.error(500, "cannot stop container: " + name + ": tried to kill it");
      }
    }
    publish("stop", Map.of());
    return FakeDockerAnswer.DONE;
  }

  /**
   * @param signal with or without SIG, or its number
   */
  FakeDockerAnswer kill(String signal) {
    FakeDockerProcess run = running();
    if (run == null) {
      return FakeDockerAnswer.error(
          409, "Cannot kill container: " + name + ": Container " + id + " is not running");
    }
    String bare = signal.startsWith("SIG") ? signal.substring(3) : signal;
    if (!bare.matches("[A-Z0-9]+")) {
      return FakeDockerAnswer.error(400, "Invalid signal: " + signal);
    }
    send(run, bare);
    if (bare.equals("KILL") || bare.equals("9")) {
      run.awaitEnd(AFTER_KILL);
    }
    return FakeDockerAnswer.DONE;
  }

  private void send(FakeDockerProcess run, String signal) {
    publish("kill", Map.of("signal", FakeDockerSpec.signalNumber(signal)));
    run.signal(signal);
  }

  FakeDockerAnswer pause() {
    synchronized (this) {
      if (process == null) {
        return FakeDockerAnswer.error(409, "Container " + id + " is not running");
      }
      if (state.paused()) {
        return FakeDockerAnswer.error(409, "Container " + id + " is already paused");
      }
      process.freeze(true);
      state = state.paused(true);
    }
    publish("pause", Map.of());
    return FakeDockerAnswer.DONE;
  }

  FakeDockerAnswer unpause() {
    return thaw()
        ? FakeDockerAnswer.DONE
        : FakeDockerAnswer.error(409, "Container " + id + " is not paused");
  }

  private boolean thaw() {
    synchronized (this) {
      if (process == null || !state.paused()) {
        return false;
      }
      process.freeze(false);
      state = state.paused(false);
    }
    publish("unpause", Map.of());
    return true;
  }

  private synchronized @Nullable FakeDockerProcess running() {
    return process;
  }

  Map<String, String> environment() {
    return spec.environment(id);
  }

  String folder() {
    return spec.folder();
  }

  synchronized boolean isRunning() {
    return process != null;
  }

  synchronized CompletableFuture<Integer> nextExit() {
    return nextExit;
  }

  synchronized FakeDockerState state() {
    return state;
  }

  /** Ends it at once, with all that it started. */
  void destroy() {
    FakeDockerProcess run = running();
    if (run != null) {
      run.signal("KILL");
      run.awaitEnd(AFTER_KILL);
    }
  }

  void publish(String action, Map<String, String> more) {
    Map<String, String> attributes = new HashMap<>(spec.labels());
    attributes.put("name", name);
    attributes.put("image", spec.image());
    attributes.putAll(more);
    events.publish(action, id, name, attributes);
  }

  /** What an inspect answers. */
  Map<String, Object> inspected() {
    List<String> command = spec.command();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("Id", id);
    json.put("Created", spec.created().toString());
    json.put("Path", command.isEmpty() ? "" : command.get(0));
    json.put("Args", command.isEmpty() ? List.of() : command.subList(1, command.size()));
    json.put("State", state().json());
    json.put("Image", "sha256:" + "0".repeat(64));
    json.put("Name", "/" + name);
    json.put("RestartCount", 0);
    json.put("Mounts", List.of());
    json.put("HostConfig", spec.hostConfig());
    json.put("Config", spec.config());
    json.put("NetworkSettings", Map.of("Ports", Map.of(), "Networks", Map.of()));
    return json;
  }

  /** Its line in a list. */
  Map<String, Object> listed() {
    FakeDockerState now = state();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("Id", id);
    json.put("Names", new ArrayList<>(List.of("/" + name)));
    json.put("Image", spec.image());
    json.put("Command", String.join(" ", spec.command()));
    json.put("Created", spec.created().getEpochSecond());
    json.put("Ports", List.of());
    json.put("Labels", spec.labels());
    json.put("State", now.status());
    json.put("Status", now.status());
    return json;
  }
}
