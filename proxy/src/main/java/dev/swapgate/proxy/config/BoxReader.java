package dev.swapgate.proxy.config;

import dev.swapgate.backends.settings.CardSettings;
import dev.swapgate.backends.settings.DockerSettings;
import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.backends.settings.WorkshopSettings;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Box;
import dev.swapgate.gate.core.Policy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads all backends, which engine is meant for what, and the rules by which they take turns. */
final class BoxReader {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration DAY = Duration.ofDays(1);

  private final BackendsReader backends;
  private final List<BackendsReader.EngineRead> engines = new ArrayList<>();
  private final List<BackendsReader.MediaRead> media = new ArrayList<>();
  private Optional<Backend.Id> selected = Optional.empty();
  private Optional<Backend.Id> fallbackEngine = Optional.empty();
  private Optional<Backend.Id> batchEngine = Optional.empty();
  private Optional<Policy> policy = Optional.empty();
  private SwapgateConfig.Limits limits =
      new SwapgateConfig.Limits(1000, 32L << 20, 1000, Duration.ofDays(30));

  BoxReader(BackendsReader backends) {
    this.backends = backends;
  }

  void reserve(String place, String owner) {
    backends.reserve(place, owner);
  }

  /** Reads from the top section all keys that concern the box. */
  void read(Section top) {
    readEngines(top);
    Section all = top.sectionOrEmpty("media");
    for (String name : all.freeKeys()) {
      media.add(backends.media(all, name));
    }
    selected = engineNamed(top, "selected");
    if (selected.isEmpty() && !top.has("selected")) {
      if (engines.size() == 1) {
        selected = Optional.of(engines.getFirst().engine().id());
      } else if (engines.size() > 1) {
        top.problem("selected", "is missing; name the engine that serves chat: " + engineNames());
      }
    }
    fallbackEngine = engineNamed(top, "fallback_engine");
    batchEngine = engineNamed(top, "batch_engine");
    readLimits(top.sectionOrEmpty("limits"));
    readPolicy(top);
  }

  private void readEngines(Section top) {
    Section all = top.sectionOrEmpty("engines");
    for (String name : all.freeKeys()) {
      engines.add(backends.engine(all, name));
    }
    if (engines.isEmpty() && (!top.has("engines") || top.isSection("engines"))) {
      top.problem("engines", "is missing; name at least one engine, which serves chat");
    }
  }

  private Optional<Backend.Id> engineNamed(Section top, String key) {
    Optional<String> name = top.text(key);
    if (name.isPresent()
        && engines.stream().noneMatch(read -> read.engine().id().value().equals(name.get()))) {
      top.problem(key, "\"" + name.get() + "\" is no engine; engines are: " + engineNames());
      return Optional.empty();
    }
    return name.map(Backend.Id::new);
  }

  private String engineNames() {
    return String.join(", ", engines.stream().map(read -> read.engine().id().value()).toList());
  }

  private void readPolicy(Section top) {
    Section retryAfter = top.sectionOrEmpty("retry_after");
    Duration min = retryAfter.duration("min", Duration.ofSeconds(30), SECOND, DAY);
    Duration max = retryAfter.duration("max", Duration.ofMinutes(15), SECOND, DAY);
    if (min.compareTo(max) > 0) {
      retryAfter.problem(
          retryAfter.has("min") ? "min" : "max",
          "min (" + Durations.text(min) + ") is above max (" + Durations.text(max) + ")");
    }
    if (min.toMillisPart() != 0 || max.toMillisPart() != 0) {
      retryAfter.problem(
          min.toMillisPart() != 0 ? "min" : "max", "must be whole seconds, as Retry-After is");
    }
    retryAfter.done();
    Section section = top.sectionOrEmpty("policy");
    policy =
        Optional.of(
            new Policy(
                section.duration("min_chat", Duration.ofMinutes(1), Duration.ZERO, DAY),
                section.duration("max_outage", Duration.ofMinutes(20), SECOND, Duration.ofDays(7)),
                section.duration("linger", Duration.ZERO, Duration.ZERO, DAY),
                section.duration("hand_lease", Duration.ofHours(1), SECOND, Duration.ofDays(7)),
                min,
                max,
                limits.queue(),
                section.duration("idle", Duration.ofMinutes(5), SECOND, DAY),
                section.duration("batch_quiet", Duration.ofMinutes(10), SECOND, DAY)));
    section.done();
  }

  private void readLimits(Section section) {
    limits =
        new SwapgateConfig.Limits(
            section.number("queue", limits.queue(), 1, 100_000),
            section.size("request_body", 1024, 1L << 30).orElse(limits.requestBodyBytes()),
            section.number("held", limits.held(), 0, 100_000),
            section.duration(
                "results_keep",
                limits.resultsKeep(),
                Duration.ofMinutes(1),
                Duration.ofDays(3650)));
    section.done();
  }

  SwapgateConfig.Limits limits() {
    return limits;
  }

  /** Only to be asked when no problem was found. */
  Box box() {
    return new Box(
        engines.stream().map(BackendsReader.EngineRead::engine).toList(),
        media.stream().map(BackendsReader.MediaRead::media).toList(),
        selected.orElseThrow(),
        fallbackEngine,
        batchEngine,
        policy.orElseThrow());
  }

  WorkshopSettings workshop(DockerSettings docker, CardSettings card) {
    return new WorkshopSettings(
        docker,
        card,
        engines.stream().map(BackendsReader.EngineRead::settings).toList(),
        mediaSettings());
  }

  List<MediaSettings> mediaSettings() {
    return media.stream().map(BackendsReader.MediaRead::settings).toList();
  }

  List<SwapgateConfig.Door> doors() {
    return media.stream().flatMap(read -> read.door().stream()).toList();
  }

  /** Names that clients use for models. */
  Set<String> modelNames() {
    return engines.stream()
        .flatMap(read -> read.models().keySet().stream())
        .collect(Collectors.toSet());
  }

  Map<Backend.Id, Map<String, String>> models() {
    Map<Backend.Id, Map<String, String>> models = new LinkedHashMap<>();
    for (BackendsReader.EngineRead read : engines) {
      if (!read.models().isEmpty()) {
        models.put(read.engine().id(), read.models());
      }
    }
    return models;
  }

  Map<Backend.Id, List<String>> prefetch() {
    return engines.stream()
        .filter(read -> !read.prefetch().isEmpty())
        .collect(Collectors.toMap(read -> read.engine().id(), BackendsReader.EngineRead::prefetch));
  }
}
