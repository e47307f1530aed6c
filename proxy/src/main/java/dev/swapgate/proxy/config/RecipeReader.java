package dev.swapgate.proxy.config;

import dev.swapgate.backends.recipe.Call;
import dev.swapgate.backends.recipe.Idle;
import dev.swapgate.backends.recipe.Inputs;
import dev.swapgate.backends.recipe.JsonPath;
import dev.swapgate.backends.recipe.Progress;
import dev.swapgate.backends.recipe.RunToExit;
import dev.swapgate.backends.recipe.SubmitPollFetch;
import dev.swapgate.backends.recipe.SubmitPollFetch.State;
import dev.swapgate.backends.recipe.SyncHttp;
import dev.swapgate.backends.recipe.TextTemplate;
import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.gate.core.Backend;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the media backends that are described: {@code sync_http}, {@code submit_poll_fetch}, {@code
 * exec}.
 */
final class RecipeReader {
  private static final JsonPath STAND_IN = JsonPath.parse("$");
  private static final String EXTENSION = "[A-Za-z0-9]{1,10}";
  private static final String FILE_NAME = "[\\p{L}\\p{N} ._-]{1,80}";
  private static final Set<Integer> UNKNOWN = Set.of(404, 410);
  private static final Set<String> NO_VALUES = Set.of();
  private static final Set<String> ID = Set.of(SubmitPollFetch.ID);
  private static final Set<String> ID_AND_ITEM = Set.of(SubmitPollFetch.ID, SubmitPollFetch.ITEM);

  private final CallReader calls;
  private final Path spool;

  RecipeReader(Secrets secrets, Path spool) {
    this.calls = new CallReader(secrets);
    this.spool = spool;
  }

  MediaSettings.Type.OneCall oneCall(Section section, Backend.Id id) {
    Inputs inputs = inputs(section);
    Section call = needed(section, "call", "the request that does a job");
    Call read = calls.job(call, inputs);
    call.done();
    SyncHttp recipe =
        new SyncHttp(
            inputs,
            read,
            result(section.sectionOrEmpty("result"), id),
            sideProgress(section),
            idle(section),
            cancel(section, NO_VALUES));
    return new MediaSettings.Type.OneCall(recipe, spool.resolve(id.value()));
  }

  MediaSettings.Type.Steps steps(Section section) {
    Inputs inputs = inputs(section);
    return new MediaSettings.Type.Steps(
        new SubmitPollFetch(
            inputs,
            submit(section, inputs),
            poll(section),
            fetch(section),
            cancel(section, ID),
            idle(section)));
  }

  MediaSettings.Type.Exits exits(Section section) {
    Inputs inputs = inputs(section);
    Path folder =
        Path.of(section.required("work_dir", "/", "the folder that is mounted into the container"));
    if (section.has("work_dir") && (!folder.isAbsolute() || folder.getNameCount() == 0)) {
      section.problem("work_dir", "must be a whole path, like /srv/yue");
    }
    String results = section.text("results").orElse("out");
    if (!results.matches(FILE_NAME) || results.startsWith(".") || results.equals("in")) {
      section.problem("results", "must be the name of a folder in work_dir, like out");
    }
    return new MediaSettings.Type.Exits(
        new RunToExit(inputs, files(section, inputs, results), results, inside(section, inputs)),
        folder);
  }

  /** Given, it switches on what widens what Docker must allow. */
  private List<TextTemplate> inside(Section section, Inputs inputs) {
    List<TextTemplate> command = calls.texts(section, "inside", inputs);
    if (section.has("inside") && command.isEmpty()) {
      section.problem("inside", "must be a command, like [python, infer.py, --text, \"{text}\"]");
    }
    return command;
  }

  private Map<String, TextTemplate> files(Section all, Inputs inputs, String results) {
    Map<String, TextTemplate> files = new LinkedHashMap<>();
    Section section = all.sectionOrEmpty("files");
    for (String name : section.freeKeys()) {
      boolean taken = Set.of("request.json", "in", results).contains(name);
      if (taken || !name.matches(FILE_NAME) || name.startsWith(".")) {
        section.problem(name, "cannot be the name of a file beside request.json, in and results");
      }
      calls.text(section, name, inputs).ifPresent(text -> files.put(name, text));
    }
    return files;
  }

  private static Inputs inputs(Section section) {
    Set<String> needs = new LinkedHashSet<>(section.texts("needs"));
    Map<String, String> defaults = new LinkedHashMap<>();
    Section given = section.sectionOrEmpty("defaults");
    for (String name : given.freeKeys()) {
      BodyReader.json(given, name).ifPresent(json -> defaults.put(name, json));
      if (needs.contains(name)) {
        given.problem(name, "is in needs too; what has a default need not be given");
      }
    }
    return new Inputs(needs, defaults);
  }

  private SyncHttp.Result result(Section section, Backend.Id id) {
    Optional<JsonPath> base64 = calls.jsonPath(section, "base64");
    String extension = section.text("extension").orElse("");
    if (!extension.isEmpty() && !extension.matches(EXTENSION)) {
      section.problem("extension", "\"" + extension + "\" is none; write for example png");
    } else if (base64.isPresent() && extension.isEmpty()) {
      section.problem(
          "base64", "needs an extension beside it, for base64 does not tell; for example png");
    }
    SyncHttp.Result result =
        new SyncHttp.Result(
            base64,
            fileName(section).orElse(id.value()),
            extension,
            section.text("content_type").orElse("").toLowerCase(Locale.ROOT));
    section.done();
    return result;
  }

  private static Optional<String> fileName(Section section) {
    Optional<String> name = section.text("name");
    if (name.isPresent() && !name.get().matches(FILE_NAME)) {
      section.problem("name", "cannot be the name of a file; use letters, digits, . _ -");
    }
    return name;
  }

  private SubmitPollFetch.Submit submit(Section all, Inputs inputs) {
    Section section = needed(all, "submit", "the request that hands a job in");
    SubmitPollFetch.Submit submit =
        new SubmitPollFetch.Submit(
            calls.job(section, inputs),
            neededPath(section, "id", "where the answer tells the job's id"),
            calls.jsonPath(section, "error"));
    section.done();
    return submit;
  }

  private SubmitPollFetch.Poll poll(Section all) {
    Section section = needed(all, "poll", "the request that asks about a job");
    Optional<Progress> progress =
        calls
            .jsonPath(section, "progress")
            .map(at -> new Progress(Optional.empty(), at, full(section, "progress_full")));
    SubmitPollFetch.Poll poll =
        new SubmitPollFetch.Poll(
            calls.step(section, "GET", ID),
            neededPath(section, "state", "where the answer tells what the job is doing"),
            states(section),
            progress,
            calls.jsonPath(section, "error"),
            section.numbers("unknown", UNKNOWN, 400, 499));
    section.done();
    return poll;
  }

  private static int full(Section section, String key) {
    return section.number(key, 1, 1, 1_000_000);
  }

  private static Map<String, State> states(Section section) {
    Map<String, State> states = new LinkedHashMap<>();
    for (State state : State.values()) {
      String key = state.name().toLowerCase(Locale.ROOT);
      for (String word : section.texts(key)) {
        State before = states.putIfAbsent(word, state);
        if (before != null) {
          section.problem(
              key,
              "\"%s\" stands in %s too".formatted(word, before.name().toLowerCase(Locale.ROOT)));
        }
      }
    }
    if (!states.containsValue(State.DONE)) {
      section.problem(
          section.line(),
          section.path("done"),
          "is missing; name the words that mean a job is done, like [completed]");
    }
    return states;
  }

  private SubmitPollFetch.Fetch fetch(Section all) {
    Section section = needed(all, "fetch", "how the files of a job are got");
    Optional<JsonPath> at = calls.jsonPath(section, "at");
    Optional<TextTemplate> path = calls.path(section, at.isPresent() ? ID_AND_ITEM : ID);
    if (at.isEmpty() && path.isEmpty() && !section.has("at") && !section.has("path")) {
      section.problem(
          section.line(),
          section.path(),
          "names no file; give path, like /files/{id}, or at, where the poll's answer names them");
    }
    SubmitPollFetch.Fetch fetch =
        new SubmitPollFetch.Fetch(
            at,
            path,
            fileName(section).orElse(""),
            section.text("content_type").orElse("").toLowerCase(Locale.ROOT));
    section.done();
    return fetch;
  }

  private Optional<Progress> sideProgress(Section all) {
    return all.section("progress")
        .map(
            section -> {
              Progress progress =
                  new Progress(
                      Optional.of(calls.neededPath(section, NO_VALUES)),
                      neededPath(section, "at", "where the answer tells the progress"),
                      full(section, "full"));
              section.done();
              return progress;
            });
  }

  private Optional<Idle> idle(Section all) {
    return all.section("idle")
        .map(
            section -> {
              Idle idle =
                  new Idle(
                      calls.neededPath(section, NO_VALUES),
                      neededPath(section, "at", "where the answer tells whether it works"),
                      Set.copyOf(section.texts("values")));
              if (idle.values().isEmpty()) {
                section.problem(
                    section.line(), section.path("values"), "is missing; name what means idle");
              }
              section.done();
              return idle;
            });
  }

  private Optional<Call> cancel(Section all, Set<String> known) {
    return all.section("cancel")
        .map(
            section -> {
              Call call = calls.step(section, "POST", known);
              section.done();
              return call;
            });
  }

  private JsonPath neededPath(Section section, String key, String what) {
    if (!section.has(key)) {
      section.problem(section.line(), section.path(key), "is missing; name " + what);
    }
    return calls.jsonPath(section, key).orElse(STAND_IN);
  }

  private static Section needed(Section all, String key, String what) {
    if (!all.has(key)) {
      all.problem(all.line(), all.path(key), "is missing; describe " + what);
    }
    return all.sectionOrEmpty(key);
  }
}
