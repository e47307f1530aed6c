package dev.swapgate.proxy.config;

import dev.swapgate.backends.recipe.Call;
import dev.swapgate.backends.recipe.Idle;
import dev.swapgate.backends.recipe.Inputs;
import dev.swapgate.backends.recipe.JsonPath;
import dev.swapgate.backends.recipe.Progress;
import dev.swapgate.backends.recipe.SubmitPollFetch;
import dev.swapgate.backends.recipe.SyncHttp;
import dev.swapgate.backends.recipe.TextTemplate;
import dev.swapgate.backends.settings.MediaSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;

/** A recipe written out, in the form of {@code swapgate.yaml}. */
final class RecipeLines {
  private final List<String> lines = new ArrayList<>();

  private RecipeLines() {}

  /** Of a media backend's keys those that describe its server; none for one known by name. */
  static List<String> of(MediaSettings.Type type) {
    RecipeLines text = new RecipeLines();
    switch (type) {
      case MediaSettings.Type.ComfyUi comfyUi -> {}
      case MediaSettings.Type.AceStep aceStep -> {}
      case MediaSettings.Type.OneCall call -> text.write(call.recipe());
      case MediaSettings.Type.Exits exits -> text.write(exits);
      case MediaSettings.Type.Steps steps -> text.write(steps.recipe());
    }
    return text.lines;
  }

  private void write(SyncHttp recipe) {
    inputs(recipe.inputs());
    call("call", recipe.call());
    SyncHttp.Result result = recipe.result();
    line(0, "result", "");
    path("base64", result.base64());
    text("name", result.name());
    text("extension", result.extension());
    text("content_type", result.contentType());
    recipe.progress().ifPresent(this::progress);
    recipe.idle().ifPresent(this::idle);
    recipe.cancel().ifPresent(call -> call("cancel", call));
  }

  private void write(MediaSettings.Type.Exits exits) {
    inputs(exits.recipe().inputs());
    line(0, "work_dir", EffectiveConfig.quoted(exits.folder().toString()));
    line(0, "files", exits.recipe().files().isEmpty() ? "{}" : "");
    exits
        .recipe()
        .files()
        .forEach(
            (name, file) ->
                line(1, EffectiveConfig.quoted(name), EffectiveConfig.quoted(file.text())));
    line(0, "results", EffectiveConfig.quoted(exits.recipe().results()));
    if (exits.recipe().isInside()) {
      List<String> words = exits.recipe().command().stream().map(TextTemplate::text).toList();
      line(0, "inside", EffectiveConfig.list(words));
    }
  }

  private void write(SubmitPollFetch recipe) {
    inputs(recipe.inputs());
    call("submit", recipe.submit().call());
    path("id", Optional.of(recipe.submit().id()));
    path("error", recipe.submit().error());
    SubmitPollFetch.Poll poll = recipe.poll();
    call("poll", poll.call());
    path("state", Optional.of(poll.state()));
    for (SubmitPollFetch.State state : SubmitPollFetch.State.values()) {
      List<String> words =
          new TreeSet<>(poll.states().keySet())
              .stream().filter(word -> poll.states().get(word) == state).toList();
      if (!words.isEmpty()) {
        line(1, state.name().toLowerCase(Locale.ROOT), EffectiveConfig.list(words));
      }
    }
    path("progress", poll.progress().map(Progress::at));
    poll.progress().ifPresent(told -> line(1, "progress_full", "" + told.full()));
    path("error", poll.error());
    line(1, "unknown", new TreeSet<>(poll.unknown()).toString());
    line(0, "fetch", "");
    path("at", recipe.fetch().at());
    recipe.fetch().path().ifPresent(path -> text("path", path.text()));
    text("name", recipe.fetch().name());
    text("content_type", recipe.fetch().contentType());
    recipe.cancel().ifPresent(call -> call("cancel", call));
    recipe.idle().ifPresent(this::idle);
  }

  private void inputs(Inputs inputs) {
    line(0, "needs", EffectiveConfig.list(List.copyOf(new TreeSet<>(inputs.needs()))));
    line(0, "defaults", inputs.defaults().isEmpty() ? "{}" : "");
    inputs.defaults().forEach((name, json) -> line(1, EffectiveConfig.quoted(name), json));
  }

  private void call(String key, Call call) {
    line(0, key, "");
    line(1, "method", call.method());
    text("path", call.path().text());
    if (!call.headers().isEmpty()) {
      line(1, "headers", "");
      new TreeSet<>(call.headers().keySet())
          .forEach(name -> line(2, EffectiveConfig.quoted(name), EffectiveConfig.HIDDEN));
    }
    line(1, "send", call.send().name().toLowerCase(Locale.ROOT));
    call.body().ifPresent(body -> line(1, "body", BodyReader.written(body)));
    call.upload().ifPresent(name -> text("upload", name));
  }

  private void progress(Progress progress) {
    line(0, "progress", "");
    progress.path().ifPresent(path -> text("path", path.text()));
    path("at", Optional.of(progress.at()));
    line(1, "full", "" + progress.full());
  }

  private void idle(Idle idle) {
    line(0, "idle", "");
    text("path", idle.path().text());
    path("at", Optional.of(idle.at()));
    line(1, "values", EffectiveConfig.list(List.copyOf(new TreeSet<>(idle.values()))));
  }

  private void path(String key, Optional<JsonPath> path) {
    path.ifPresent(given -> text(key, given.text()));
  }

  private void text(String key, String value) {
    if (!value.isEmpty()) {
      line(1, key, EffectiveConfig.quoted(value));
    }
  }

  private void line(int depth, String key, String value) {
    lines.add("  ".repeat(depth) + key + ":" + (value.isEmpty() ? "" : " " + value));
  }
}
