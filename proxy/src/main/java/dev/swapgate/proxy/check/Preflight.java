package dev.swapgate.proxy.check;

import dev.swapgate.backends.docker.ContainerDetails;
import dev.swapgate.backends.docker.DaemonVersion;
import dev.swapgate.backends.settings.BackendSettings;
import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.backends.settings.WorkshopSettings;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Box;
import dev.swapgate.gate.core.ContainerSighting;
import dev.swapgate.gate.port.BackendException;
import dev.swapgate.gate.port.GpuMeter;
import dev.swapgate.gate.port.ReadinessProbe;
import dev.swapgate.proxy.admin.Finding;
import dev.swapgate.proxy.admin.Finding.Severity;
import dev.swapgate.proxy.config.SwapgateConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The whole preflight: asks Docker, the card and what runs once. Thread-safe; blocks. */
public final class Preflight {
  private final Box box;
  private final WorkshopSettings settings;
  private final Map<Backend.Id, Map<String, String>> models;
  private final List<SwapgateConfig.Door> doors;
  private final Daemon daemon;
  private final GpuMeter meter;
  private final ReadinessProbe probe;
  private final Known known;

  /** What Docker tells; throws {@link BackendException} when it cannot be asked. */
  public interface Daemon {
    Optional<ContainerDetails> details(String container);

    DaemonVersion version();
  }

  /** What swapgate knows that nobody can be asked for. */
  public interface Known {

    /** The engine that is restored. */
    Backend.Id selected();

    /** How long a stop of that backend's container takes; empty until one was seen. */
    Optional<Duration> stopTime(Backend.Id backend);

    /** What else was found: other swapgates, for instance. */
    List<Finding> found();
  }

  /**
   * @param models the client's names of models, by engine
   * @param doors where swapgate itself listens before media backends
   */
  public Preflight(
      Box box,
      WorkshopSettings settings,
      Map<Backend.Id, Map<String, String>> models,
      List<SwapgateConfig.Door> doors,
      Daemon daemon,
      GpuMeter meter,
      ReadinessProbe probe,
      Known known) {
    this.box = box;
    this.settings = settings;
    this.models = Map.copyOf(models);
    this.doors = List.copyOf(doors);
    this.daemon = daemon;
    this.meter = meter;
    this.probe = probe;
    this.known = known;
  }

  /** What was found now, the worst first. */
  public List<Finding> findings() {
    List<Finding> found = new ArrayList<>();
    Set<String> ours = Set.of();
    try {
      List<Sight> sights = sights();
      for (Sight sight : sights) {
        found.addAll(ContainerCheck.findings(sight));
        found.addAll(StopCheck.findings(sight, grace(sight), known.stopTime(sight.backend().id())));
      }
      found.addAll(SharingCheck.findings(sights));
      found.addAll(DoorCheck.findings(doors, sights));
      found.addAll(InsideCheck.findings(settings.media()));
      found.addAll(ComposeCheck.findings(sights));
      sights.stream()
          .filter(sight -> sight.isUp() && sight.backend().isServer())
          .forEach(
              sight ->
                  ReadinessCheck.finding(sight, probe.probe(sight.backend().id()))
                      .ifPresent(found::add));
      DockerCheck.version(daemon.version()).ifPresent(found::add);
      ours =
          sights.stream()
              .flatMap(sight -> sight.container().stream())
              .map(ContainerDetails::id)
              .collect(Collectors.toSet());
    } catch (BackendException e) {
      found.add(DockerCheck.unreachable(settings.docker().host(), e));
    }
    found.addAll(CardCheck.findings(meter.read(), ours, box.backends()));
    found.addAll(missingAliases());
    found.addAll(known.found());
    found.sort((one, other) -> one.severity().compareTo(other.severity()));
    return List.copyOf(found);
  }

  /** That of the file, else the container's own. */
  private Duration grace(Sight sight) {
    return box.backends().stream()
        .filter(backend -> backend.id().equals(sight.backend().id()))
        .flatMap(backend -> backend.budgets().stopGracePeriod().stream())
        .findFirst()
        .or(() -> sight.container().map(ContainerDetails::stopTimeout))
        .orElse(ContainerSighting.DEFAULT_STOP_TIMEOUT);
  }

  private List<Sight> sights() {
    Stream<Sight> engines = settings.engines().stream().map(one -> sight(one, true));
    Stream<Sight> media =
        settings.media().stream().map(MediaSettings::backend).map(one -> sight(one, false));
    return Stream.concat(engines, media).toList();
  }

  private Sight sight(BackendSettings backend, boolean engine) {
    return new Sight(backend, engine, daemon.details(backend.container()));
  }

  /** Whoever stands in for the selected engine is asked for its models by the same names. */
  private List<Finding> missingAliases() {
    Set<String> wanted = models.getOrDefault(box.selected(), Map.of()).keySet();
    return Stream.concat(box.fallbackEngine().stream(), box.batchEngine().stream())
        .distinct()
        .filter(engine -> !engine.equals(box.selected()))
        .flatMap(engine -> missingAlias(engine, wanted).stream())
        .toList();
  }

  private Optional<Finding> missingAlias(Backend.Id engine, Set<String> wanted) {
    Set<String> missing = new TreeSet<>(wanted);
    missing.removeAll(models.getOrDefault(engine, Map.of()).keySet());
    if (missing.isEmpty()) {
      return Optional.empty();
    }
    String names = String.join(", ", missing);
    return Optional.of(
        new Finding(
            "model_alias_missing",
            Severity.WARNING,
            engine.value(),
            engine + " has no model named " + names + ", as the selected engine has",
            "clients that ask for it are refused while " + engine + " serves",
            "add " + names + " under engines." + engine + ".models in swapgate.yaml"));
  }
}
