package dev.swapgate.proxy.config;

import dev.swapgate.backends.settings.WorkshopSettings;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Box;
import dev.swapgate.proxy.fallback.FallbackSettings;
import dev.swapgate.proxy.notify.Target;
import dev.swapgate.proxy.workflows.Workflows;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A checked configuration: what it says holds. Secrets are inside {@link #workshop()}, whose own
 * texts show them as {@code ***}.
 *
 * @param listen where chat is served
 * @param stateDir jobs, history, the admin token
 * @param resultsDir what jobs made, a folder for each
 * @param box for the gate; its {@code policy} holds {@code retry_after}, {@code policy} and {@code
 *     limits.queue}
 * @param workshop for the drivers of containers, card, probes and media servers
 * @param models for each engine that has them: the name a client uses → the engine's own
 * @param tailHold with no more than this left of a swap, chat is held instead of refused; zero: off
 * @param metricsListen where {@code /metrics} is served to whoever asks; empty: only on the admin
 *     listener
 * @param notices who is told elsewhere what happens
 * @param workflows those that have a name
 * @param prefetch for each engine that has them: globs of the files that it loads, absolute
 * @param fallback who answers chat while the card is away; its own texts show no secret
 * @param doors swapgate's listeners before media backends
 */
public record SwapgateConfig(
    Address listen,
    Admin admin,
    Path stateDir,
    Path resultsDir,
    Box box,
    WorkshopSettings workshop,
    Map<Backend.Id, Map<String, String>> models,
    Duration tailHold,
    Limits limits,
    Optional<Address> metricsListen,
    List<Target> notices,
    Workflows workflows,
    Map<Backend.Id, List<String>> prefetch,
    FallbackSettings fallback,
    List<Door> doors) {

  public SwapgateConfig {
    doors = List.copyOf(doors);
    models = Map.copyOf(models);
    notices = List.copyOf(notices);
    prefetch = Map.copyOf(prefetch);
  }

  /** The client's model names of one engine, in the order of the file; empty: all pass as is. */
  public Map<String, String> models(Backend.Id engine) {
    return models.getOrDefault(engine, Map.of());
  }

  /**
   * This one with what another says of rules, budgets, model names and times: what may change while
   * all runs. Where backends or containers differ, the backends stay as they are here.
   */
  public SwapgateConfig withWhatMayChange(SwapgateConfig wanted) {
    boolean sameContainers = wanted.box().hasContainersOf(box);
    return new SwapgateConfig(
        listen,
        admin,
        stateDir,
        resultsDir,
        sameContainers ? wanted.box() : box,
        workshop,
        sameContainers ? wanted.models() : models,
        wanted.tailHold(),
        new Limits(
            wanted.limits().queue(),
            limits.requestBodyBytes(),
            limits.held(),
            wanted.limits().resultsKeep()),
        metricsListen,
        notices,
        sameContainers ? wanted.workflows() : workflows,
        sameContainers ? wanted.prefetch() : prefetch,
        wanted.fallback(),
        doors);
  }

  /** The door before a media backend, if it has one. */
  public Optional<Door> door(Backend.Id backend) {
    return doors.stream().filter(door -> door.backend().equals(backend)).findFirst();
  }

  /** The file in which the admin token lies: 0600, made at the first start. */
  public Path tokenFile() {
    return stateDir.resolve("admin.token");
  }

  /**
   * The admin listener.
   *
   * @param hosts accepted in {@code Host} besides the ones that are always right
   */
  public record Admin(Address listen, List<String> hosts) {
    public Admin {
      hosts = List.copyOf(hosts);
    }
  }

  /**
   * A listener before a media backend.
   *
   * @param idle how long a visit lasts after somebody at a browser did something
   */
  public record Door(Backend.Id backend, Address listen, Duration idle) {}

  /**
   * Where a listener listens.
   *
   * @param host a name or address, IPv6 without brackets
   * @param port 0: any free one
   */
  public record Address(String host, int port) {

    /** True when only this machine can reach it; no name is looked up for it. */
    public boolean isLoopback() {
      return host.equals("localhost") || host.startsWith("127.") || host.equals("::1");
    }

    /** True for {@code 0.0.0.0} and {@code ::}: every address of the machine. */
    public boolean isWildcard() {
      return host.equals("0.0.0.0") || host.equals("::");
    }

    /** The base address by which a client on this machine reaches it. */
    public String baseUrl() {
      String reachable = isWildcard() ? (host.equals("::") ? "::1" : "127.0.0.1") : host;
      return "http://" + new Address(reachable, port);
    }

    @Override
    public String toString() {
      return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
  }

  /**
   * What is bounded.
   *
   * @param queue jobs that may wait
   * @param requestBodyBytes the largest chat request
   * @param held requests that may be held at one time
   * @param resultsKeep how long results and the requests of ended jobs are kept
   */
  public record Limits(int queue, long requestBodyBytes, int held, Duration resultsKeep) {}
}
