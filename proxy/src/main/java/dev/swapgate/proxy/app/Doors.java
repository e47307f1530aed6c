package dev.swapgate.proxy.app;

import dev.swapgate.backends.catalog.Workshop;
import dev.swapgate.backends.settings.BackendSettings;
import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.gate.core.Media;
import dev.swapgate.gate.port.JobAdapter;
import dev.swapgate.gate.runtime.Gate;
import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.proxy.config.SwapgateConfig;
import dev.swapgate.proxy.door.Door;
import dev.swapgate.proxy.door.DoorSettings;
import dev.swapgate.proxy.http.Listener;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;

/** The doors before media servers, and their listeners. */
final class Doors implements AutoCloseable {

  private final Running running = new Running();

  private Doors() {}

  /**
   * Opens all that are configured.
   *
   * @param tally counts who answered, and how it ended
   * @throws StartException when an address cannot be listened on
   */
  static Doors open(
      SwapgateConfig config,
      SteadyClock clock,
      Gate gate,
      Workshop workshop,
      Executor executor,
      BiConsumer<String, String> tally) {
    Doors doors = new Doors();
    try {
      for (SwapgateConfig.Door one : config.doors()) {
        JobAdapter adapter = workshop.adapters().get(one.backend());
        if (adapter == null) {
          throw new IllegalStateException("no adapter for " + one.backend());
        }
        Door door =
            doors.running.add(
                "the door of " + one.backend(),
                Door.open(gate, clock, settings(config, one), adapter::underWay, executor, tally));
        Listener listener = HttpServer.openDoor(one, door.handler());
        doors.running.add("the listener of the door of " + one.backend(), listener);
      }
      return doors;
    } catch (RuntimeException e) {
      doors.running.closeBecause(e);
      throw e;
    }
  }

  private static DoorSettings settings(SwapgateConfig config, SwapgateConfig.Door door) {
    BackendSettings server =
        config.workshop().media().stream()
            .map(MediaSettings::backend)
            .filter(one -> one.id().equals(door.backend()))
            .findFirst()
            .orElseThrow();
    Duration longest = config.box().media(door.backend()).map(Media::jobBudget).orElseThrow();
    return new DoorSettings(
        door.backend(),
        server.url(),
        door.listen().host(),
        config.admin().hosts(),
        door.idle(),
        longest,
        config.limits().requestBodyBytes());
  }

  @Override
  public void close() {
    running.close();
  }
}
