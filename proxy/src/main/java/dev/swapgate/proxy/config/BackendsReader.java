package dev.swapgate.proxy.config;

import dev.swapgate.backends.settings.BackendSettings;
import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Budgets;
import dev.swapgate.gate.core.Engine;
import dev.swapgate.gate.core.Media;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads {@code engines} and {@code media}. */
final class BackendsReader {

  private static final Duration NOTHING = Duration.ZERO;
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;
  private static final long TIB = 1L << 40;
  static final String ID = "[a-z0-9][a-z0-9_-]{0,62}";
  private static final String CONTAINER = "[a-zA-Z0-9][a-zA-Z0-9_.-]*";
  private static final String TYPES = "comfyui, ace_step, sync_http, submit_poll_fetch or exec";

  private final Secrets secrets;
  private final RecipeReader recipes;
  private final Map<String, String> containers = new HashMap<>();
  private final Map<String, String> places = new HashMap<>();
  private final Map<String, String> ids = new HashMap<>();

  /**
   * @param spool the folder for answers on their way
   */
  BackendsReader(Secrets secrets, Path spool) {
    this.secrets = secrets;
    this.recipes = new RecipeReader(secrets, spool);
  }

  /** One engine as all sides need it. */
  record EngineRead(
      Engine engine, BackendSettings settings, Map<String, String> models, List<String> prefetch) {}

  /** One media backend as all sides need it. */
  record MediaRead(Media media, MediaSettings settings, Optional<SwapgateConfig.Door> door) {}

  /** Takes a place of our own, so that no backend may point at us. */
  void reserve(String place, String owner) {
    places.put(place, owner);
  }

  EngineRead engine(Section all, String name) {
    Section section = all.section(name).orElse(null);
    Backend.Id id = id(all, name);
    if (section == null) {
      return new EngineRead(
          new Engine(id, name, standInBudgets(), Optional.empty(), 3),
          standIn(id),
          Map.of(),
          List.of());
    }
    Section readiness = section.sectionOrEmpty("readiness");
    BackendSettings settings = settings(section, readiness, id, "/health");
    Budgets budgets =
        budgets(
            section,
            section.duration("drain", Duration.ofMinutes(5), NOTHING, DAY),
            // One engine of the measured two takes 280 to 690 s from start to ready.
            readyTimes(readiness, Duration.ofMinutes(15)));
    Engine engine =
        new Engine(
            id,
            settings.container(),
            budgets,
            section.duration("restore", SECOND, DAY),
            section.number("attempts", 3, 1, 100));
    Map<String, String> models = models(section);
    List<String> prefetch = PrefetchReader.globs(section);
    readiness.done();
    section.done();
    return new EngineRead(engine, settings, models, prefetch);
  }

  MediaRead media(Section all, String name) {
    Section section = all.section(name).orElse(null);
    Backend.Id id = id(all, name);
    if (section == null) {
      return new MediaRead(
          new Media(id, name, standInBudgets(), HOUR, HOUR, HOUR, 1),
          new MediaSettings(standIn(id), MediaSettings.Type.COMFYUI, "", MIB),
          Optional.empty());
    }
    MediaSettings.Type type = type(section, id);
    boolean comfy = type.equals(MediaSettings.Type.COMFYUI);
    boolean exits = type instanceof MediaSettings.Type.Exits one && !one.isInside();
    boolean inside = type instanceof MediaSettings.Type.Exits && !exits;
    BackendSettings settings;
    Budgets budgets;
    if (exits) {
      settings = nobody(section, id);
      budgets = budgets(section, NOTHING, NEVER_READY);
    } else if (inside && !section.has("url")) {
      settings = nobody(section, id);
      budgets = budgets(section, NOTHING, READY_WHEN_UP);
    } else {
      Section readiness = section.sectionOrEmpty("readiness");
      settings = settings(section, readiness, id, comfy ? "/system_stats" : "/health");
      budgets = budgets(section, NOTHING, readyTimes(readiness, Duration.ofMinutes(3)));
      readiness.done();
    }
    Media media =
        new Media(
            id,
            settings.container(),
            budgets,
            section.duration("generation", Duration.ofMinutes(comfy ? 3 : 4), SECOND, DAY),
            section.duration("job_budget", Duration.ofMinutes(30), SECOND, Duration.ofDays(7)),
            section.duration("no_progress", Duration.ofMinutes(10), SECOND, Duration.ofDays(7)),
            section.number("tries", 2, 1, 10),
            exits);
    if (media.generation().compareTo(media.jobBudget()) > 0) {
      section.problem(
          "generation",
          Durations.text(media.generation())
              + " is longer than job_budget ("
              + Durations.text(media.jobBudget())
              + "), so every job would be cut; lower it or raise job_budget");
    }
    long maxFile = section.size("max_file", 1024, 64 * GIB).orElse(2 * GIB);
    String apiKey = exits || inside ? "" : secrets.apiKey(section);
    Optional<SwapgateConfig.Door> door =
        DoorReader.read(
            section, settings, (place, key, words) -> once(places, place, section, key, words));
    section.done();
    return new MediaRead(media, new MediaSettings(settings, type, apiKey, maxFile), door);
  }

  /** A container that is never asked anything. */
  private BackendSettings nobody(Section section, Backend.Id id) {
    return new BackendSettings(
        id, container(section, id), BackendSettings.NOWHERE, ReadinessReader.standard("/"));
  }

  private String container(Section section, Backend.Id id) {
    String container = section.required("container", id.value(), "the Docker container");
    if (!container.matches(CONTAINER)) {
      section.problem("container", "\"" + container + "\" cannot be a container's name");
    }
    once(containers, container, section, "container", "container " + container);
    return container;
  }

  private BackendSettings settings(
      Section section, Section readiness, Backend.Id id, String readinessPath) {
    String container = container(section, id);
    URI url = URI.create("http://127.0.0.1");
    if (!section.required("url", "", "its address, like http://127.0.0.1:8000").isEmpty()) {
      Optional<URI> read = section.text("url").flatMap(text -> Addresses.url(section, "url", text));
      if (read.isPresent()) {
        url = read.get();
        once(places, Addresses.place(url), section, "url", url.toString());
      }
    }
    return new BackendSettings(
        id, container, url, ReadinessReader.settings(readiness, readinessPath, secrets));
  }

  /** The readiness keys that are budgets: they belong to the gate. */
  private record ReadyTimes(Duration budget, Duration interval, int passes) {}

  private static final ReadyTimes READY_WHEN_UP =
      new ReadyTimes(Duration.ofMinutes(1), Duration.ofMillis(500), 1);

  private static final ReadyTimes NEVER_READY = new ReadyTimes(SECOND, SECOND, 1);

  private static ReadyTimes readyTimes(Section readiness, Duration budget) {
    return new ReadyTimes(
        readiness.duration("budget", budget, SECOND, DAY),
        readiness.duration(
            "interval", Duration.ofMillis(500), Duration.ofMillis(50), Duration.ofMinutes(1)),
        readiness.number("passes", 2, 1, 100));
  }

  private static Budgets budgets(Section section, Duration drain, ReadyTimes ready) {
    Optional<Duration> grace = section.duration("stop_grace_period", NOTHING, HOUR);
    if (grace.isPresent() && grace.get().toMillisPart() != 0) {
      section.problem("stop_grace_period", "must be whole seconds; Docker knows no smaller ones");
    }
    OptionalLong vram = section.size("vram", MIB, TIB);
    return new Budgets(
        drain,
        grace,
        section.duration("release", Duration.ofSeconds(30), SECOND, HOUR),
        section.duration("start", Duration.ofMinutes(1), SECOND, HOUR),
        ready.budget(),
        ready.interval(),
        ready.passes(),
        vram.isPresent() ? OptionalLong.of(vram.getAsLong() / MIB) : vram);
  }

  private static Map<String, String> models(Section section) {
    Map<String, String> models = section.textMap("models");
    models.forEach(
        (name, model) -> {
          if (name.isBlank() || model.isBlank()) {
            section.problem("models", "\"" + name + "\" and its model must not be blank");
          }
        });
    return models;
  }

  private MediaSettings.Type type(Section section, Backend.Id id) {
    String text = section.required("type", "comfyui", TYPES);
    switch (text) {
      case "comfyui" -> {
        return MediaSettings.Type.COMFYUI;
      }
      case "ace_step" -> {
        return MediaSettings.Type.ACE_STEP;
      }
      case "sync_http" -> {
        return recipes.oneCall(section, id);
      }
      case "submit_poll_fetch" -> {
        return recipes.steps(section);
      }
      case "exec" -> {
        return recipes.exits(section);
      }
      default -> section.problem("type", "\"" + text + "\" is not known; use " + TYPES);
    }
    return MediaSettings.Type.COMFYUI;
  }

  private Backend.Id id(Section all, String name) {
    if (!name.matches(ID)) {
      all.problem(
          name, "is no name for a backend; use a-z 0-9 _ - and begin with a letter or digit");
    } else if (name.equals("none")) {
      all.problem(name, "is the word for nobody (swapgate lease none); choose another name");
    }
    once(ids, name, all, name, "the name " + name);
    return new Backend.Id(name.isBlank() ? "unnamed" : name);
  }

  private static void once(
      Map<String, String> taken, String what, Section section, String key, String words) {
    String before = taken.putIfAbsent(what, section.path(key));
    if (before != null) {
      section.problem(key, words + " belongs to " + before + " already; each needs its own");
    }
  }

  private static BackendSettings standIn(Backend.Id id) {
    return new BackendSettings(
        id, id.value(), URI.create("http://127.0.0.1"), ReadinessReader.standard("/"));
  }

  private static Budgets standInBudgets() {
    return new Budgets(
        NOTHING, Optional.empty(), SECOND, SECOND, SECOND, SECOND, 1, OptionalLong.empty());
  }
}
