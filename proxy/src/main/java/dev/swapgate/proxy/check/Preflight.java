package dev.swapgate.proxy.check;

import dev.swapgate.backends.docker.ContainerDetails;
import dev.swapgate.backends.settings.BackendSettings;
import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.backends.settings.WorkshopSettings;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Box;
import dev.swapgate.gate.core.ProbeResult;
import dev.swapgate.gate.port.BackendException;
import dev.swapgate.gate.port.GpuMeter;
import dev.swapgate.gate.port.ReadinessProbe;
import dev.swapgate.proxy.admin.Finding;
import dev.swapgate.proxy.admin.Finding.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The whole preflight: asks Docker, the card and the running engine once. Thread-safe; blocks. */
public final class Preflight {
  private final Box box;
  private final WorkshopSettings settings;
  private final Map<Backend.Id, Map<String, String>> models;
  private final Daemon daemon;
  private final GpuMeter meter;
  private final ReadinessProbe probe;
  private final Supplier<Backend.Id> selected;

  /** What Docker tells of a container; throws {@link BackendException} when it cannot be asked. */
  @FunctionalInterface
  public interface Daemon {
    Optional<ContainerDetails> details(String container);
  }

  /**
   * @param models the client's names of models, by engine
   * @param selected the engine that is restored
   */
  public Preflight(
      Box box,
      WorkshopSettings settings,
      Map<Backend.Id, Map<String, String>> models,
      Daemon daemon,
      GpuMeter meter,
      ReadinessProbe probe,
      Supplier<Backend.Id> selected) {
    this.box = box;
    this.settings = settings;
    this.models = Map.copyOf(models);
    this.daemon = daemon;
    this.meter = meter;
    this.probe = probe;
    this.selected = selected;
  }

  /** What was found now, the worst first. */
  public List<Finding> findings() {
    List<Finding> found = new ArrayList<>();
    Set<String> ours = Set.of();
    try {
      List<Sight> sights = sights();
      sights.forEach(sight -> found.addAll(ContainerCheck.findings(sight)));
      found.addAll(SharingCheck.findings(sights));
      sights.stream()
          .filter(sight -> sight.backend().id().equals(selected.get()) && sight.isUp())
          .forEach(sight -> unauthorized(sight).ifPresent(found::add));
      ours =
          sights.stream()
              .flatMap(sight -> sight.container().stream())
              .map(ContainerDetails::id)
              .collect(Collectors.toSet());
    } catch (BackendException e) {
      found.add(unreachable(e));
    }
    found.addAll(CardCheck.findings(meter.read(), ours));
    found.addAll(missingAliases());
    found.sort((one, other) -> one.severity().compareTo(other.severity()));
    return List.copyOf(found);
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

  private Finding unreachable(BackendException e) {
    return new Finding(
        "docker_unreachable",
        Severity.PROBLEM,
        "",
        "Docker at " + settings.docker().host() + " cannot be asked: " + e.getMessage(),
        "nothing can be stopped or started; swapgate waits for it and serves what runs",
        "systemctl start docker, or correct docker.host in swapgate.yaml");
  }

  /** An engine that wants a key on its readiness path would never be seen ready. */
  private Optional<Finding> unauthorized(Sight sight) {
    if (!(probe.probe(sight.backend().id()) instanceof ProbeResult.NotReady seen)
        || !seen.reason().matches("(?s)status 40[13]\\b.*")) {
      return Optional.empty();
    }
    return Optional.of(
        new Finding(
            "readiness_unauthorized",
            Severity.PROBLEM,
            sight.name(),
            "the readiness path "
                + sight.backend().readiness().path()
                + " of the running engine answers: "
                + seen.reason(),
            "it wants a key, so the engine would be taken for not ready after every swap",
            "set engines."
                + sight.name()
                + ".readiness.path to a path without a key, such as /health, or give the key under"
                + " readiness.headers"));
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
