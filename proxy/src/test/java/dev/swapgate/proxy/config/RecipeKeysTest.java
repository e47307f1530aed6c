package dev.swapgate.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.backends.recipe.Call;
import dev.swapgate.backends.recipe.SubmitPollFetch;
import dev.swapgate.backends.recipe.SubmitPollFetch.State;
import dev.swapgate.backends.recipe.SyncHttp;
import dev.swapgate.backends.recipe.TextTemplate;
import dev.swapgate.backends.settings.MediaSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every key of the media servers that are described. */
class RecipeKeysTest {
  private static final String HEAD =
      """
      state_dir: /state
      engines:
        a: {container: a, url: "http://127.0.0.1:8000"}
      media:
        m:
          container: m
          url: http://127.0.0.1:1
      """;

  private static SwapgateConfig config(String keys) {
    return new ConfigLoader(Map.of("WORD", "s3cret"))
        .parse("f.yaml", HEAD + keys.indent(4), Path.of("/"));
  }

  private static MediaSettings.Type type(SwapgateConfig config) {
    return config.workshop().media().getFirst().type();
  }

  private static String written(Call call) {
    return call.body().map(BodyReader::written).orElse("");
  }

  @Test
  void aCallHasDefaults() {
    MediaSettings.Type.OneCall type =
        (MediaSettings.Type.OneCall) type(config("type: sync_http\ncall: {path: /speak}"));

    SyncHttp recipe = type.recipe();
    assertThat(type.spool()).isEqualTo(Path.of("/state/calls/m"));
    assertThat(recipe.inputs().needs()).isEmpty();
    assertThat(recipe.inputs().defaults()).isEmpty();
    assertThat(recipe.call().method()).isEqualTo("POST");
    assertThat(recipe.call().path().text()).isEqualTo("/speak");
    assertThat(recipe.call().headers()).isEmpty();
    assertThat(recipe.call().send()).isEqualTo(Call.Encoding.JSON);
    assertThat(recipe.call().body()).isEmpty();
    assertThat(recipe.call().upload()).isEmpty();
    assertThat(recipe.result().base64()).isEmpty();
    assertThat(recipe.result().name()).isEqualTo("m");
    assertThat(recipe.result().extension()).isEmpty();
    assertThat(recipe.result().contentType()).isEmpty();
    assertThat(recipe.progress()).isEmpty();
    assertThat(recipe.idle()).isEmpty();
    assertThat(recipe.cancel()).isEmpty();
  }

  private static final String CALL =
      """
      type: sync_http
      needs: [prompt]
      defaults: {steps: 20, model: "1", tags: [a, {b: null}], style: "{plain}"}
      call:
        method: PUT
        path: /do/{model}?n={steps}
        headers: {X-Key: "${WORD}"}
        send: multipart
        body: {text: "a {prompt}", n: "{steps}", all: "{request}", fixed: 1.5, on: true, word: "1"}
        upload: file
      result: {base64: "images[*]", name: picture, extension: png, content_type: application/json}
      progress: {path: /progress, at: done, full: 100}
      idle: {path: /progress, at: jobs, values: [0, none]}
      cancel: {path: /stop}
      """;

  @Test
  void aCallHasEveryKey() {
    SyncHttp recipe = ((MediaSettings.Type.OneCall) type(config(CALL))).recipe();

    assertThat(recipe.inputs().needs()).containsExactly("prompt");
    assertThat(recipe.inputs().defaults())
        .containsEntry("steps", "20")
        .containsEntry("model", "\"1\"")
        .containsEntry("tags", "[\"a\", {\"b\": null}]")
        .containsEntry("style", "\"{plain}\"");
    assertThat(recipe.call().method()).isEqualTo("PUT");
    assertThat(recipe.call().path().variables()).containsExactly("model", "steps");
    assertThat(recipe.call().headers()).containsExactly(Map.entry("X-Key", "s3cret"));
    assertThat(recipe.call().send()).isEqualTo(Call.Encoding.MULTIPART);
    assertThat(written(recipe.call()))
        .isEqualTo(
            "{\"text\": \"a {prompt}\", \"n\": \"{steps}\", \"all\": \"{request}\","
                + " \"fixed\": 1.5, \"on\": true, \"word\": \"1\"}");
    assertThat(recipe.call().upload()).hasValue("file");
    assertThat(recipe.result().base64().orElseThrow().text()).isEqualTo("images[*]");
    assertThat(recipe.result().name()).isEqualTo("picture");
    assertThat(recipe.result().extension()).isEqualTo("png");
    assertThat(recipe.result().contentType()).isEqualTo("application/json");
    assertThat(recipe.progress().orElseThrow().path().orElseThrow().text()).isEqualTo("/progress");
    assertThat(recipe.progress().orElseThrow().full()).isEqualTo(100);
    assertThat(recipe.idle().orElseThrow().at().text()).isEqualTo("jobs");
    assertThat(recipe.idle().orElseThrow().values()).containsExactlyInAnyOrder("0", "none");
    assertThat(recipe.cancel().orElseThrow().method()).isEqualTo("POST");
  }

  private static final String STEPS =
      """
      type: submit_poll_fetch
      defaults: {n: 1}
      submit: {path: /jobs, id: "data.id", error: error}
      poll:
        method: POST
        path: /query
        body: {ids: ["{id}"]}
        state: "data[0].status"
        queued: [waiting]
        running: [0, busy]
        done: [1]
        failed: [2]
        cancelled: [gone]
        progress: "data[0].progress"
        progress_full: 100
        error: "data[0].error"
        unknown: [404]
      fetch: {at: "data[0].files[*]", path: "/file?p={item}&j={id}", name: song, content_type: Audio/}
      cancel: {method: DELETE, path: "/jobs/{id}"}
      idle: {path: /stats, at: running, values: [0]}
      """;

  @Test
  void stepsHaveEveryKey() {
    SubmitPollFetch recipe = ((MediaSettings.Type.Steps) type(config(STEPS))).recipe();

    assertThat(recipe.submit().call().path().text()).isEqualTo("/jobs");
    assertThat(recipe.submit().id().text()).isEqualTo("data.id");
    assertThat(recipe.submit().error().orElseThrow().text()).isEqualTo("error");
    SubmitPollFetch.Poll poll = recipe.poll();
    assertThat(poll.call().method()).isEqualTo("POST");
    assertThat(written(poll.call())).isEqualTo("{\"ids\": [\"{id}\"]}");
    assertThat(poll.state().text()).isEqualTo("data[0].status");
    assertThat(poll.states())
        .isEqualTo(
            Map.of(
                "waiting", State.QUEUED,
                "0", State.RUNNING,
                "busy", State.RUNNING,
                "1", State.DONE,
                "2", State.FAILED,
                "gone", State.CANCELLED));
    assertThat(poll.progress().orElseThrow().path()).isEmpty();
    assertThat(poll.progress().orElseThrow().full()).isEqualTo(100);
    assertThat(poll.error().orElseThrow().text()).isEqualTo("data[0].error");
    assertThat(poll.unknown()).containsExactly(404);
    assertThat(recipe.fetch().at().orElseThrow().text()).isEqualTo("data[0].files[*]");
    assertThat(recipe.fetch().path().orElseThrow().variables()).containsExactly("id", "item");
    assertThat(recipe.fetch().name()).isEqualTo("song");
    assertThat(recipe.fetch().contentType()).isEqualTo("audio/");
    assertThat(recipe.cancel().orElseThrow().method()).isEqualTo("DELETE");
    assertThat(recipe.idle().orElseThrow().path().text()).isEqualTo("/stats");
  }

  @Test
  void whatAppliesIsWrittenSoThatItReadsTheSame() {
    for (String keys : List.of(CALL, STEPS)) {
      SwapgateConfig config = config(keys);
      String lines = String.join("\n", EffectiveConfig.lines(config)).replace("\"***\"", "s3cret");

      SwapgateConfig again = new ConfigLoader(Map.of()).parse("again.yaml", lines, Path.of("/"));

      assertThat(again.workshop().media().getFirst().type()).isEqualTo(type(config));
      assertThat(String.join("\n", EffectiveConfig.lines(config))).doesNotContain("s3cret");
    }
  }

  private static SwapgateConfig exec(String keys) {
    String head = HEAD.replace("    url: http://127.0.0.1:1\n", "");
    return new ConfigLoader(Map.of()).parse("f.yaml", head + keys.indent(4), Path.of("/"));
  }

  @Test
  void aContainerThatRunsToItsExit() {
    String keys =
        """
        type: exec
        work_dir: /srv/yue
        needs: [genre]
        defaults: {segments: 2}
        files: {genre.txt: "{genre}", settings: "n={segments}"}
        results: songs
        """;
    SwapgateConfig config = exec(keys);
    MediaSettings.Type.Exits type = (MediaSettings.Type.Exits) type(config);

    assertThat(type.folder()).isEqualTo(Path.of("/srv/yue"));
    assertThat(type.recipe().results()).isEqualTo("songs");
    assertThat(type.recipe().files()).containsOnlyKeys("genre.txt", "settings");
    assertThat(config.box().media().getFirst().runsToExit()).isTrue();
    assertThat(config.workshop().media().getFirst().backend().isServer()).isFalse();
    assertThat(EffectiveConfig.lines(config))
        .contains("    work_dir: \"/srv/yue\"", "      \"settings\": \"n={segments}\"");
  }

  @Test
  void aCommandInsideAContainerThatStaysUp() {
    String keys =
        """
        type: exec
        work_dir: /srv/yue
        needs: [genre]
        inside: [python, infer.py, --genre, "{genre}", "{{}}"]
        """;
    SwapgateConfig config = exec(keys);
    MediaSettings.Type.Exits type = (MediaSettings.Type.Exits) type(config);

    assertThat(type.recipe().command())
        .extracting(TextTemplate::text)
        .containsExactly("python", "infer.py", "--genre", "{genre}", "{{}}");
    assertThat(config.box().media().getFirst().runsToExit()).isFalse();
    assertThat(config.workshop().media().getFirst().backend().isServer()).isFalse();
    assertThat(EffectiveConfig.lines(config))
        .contains("    inside: [\"python\", \"infer.py\", \"--genre\", \"{genre}\", \"{{}}\"]");
    SwapgateConfig probed =
        exec(keys + "url: http://127.0.0.1:8003\nreadiness: {path: /up, budget: 9s}\n");
    assertThat(probed.workshop().media().getFirst().backend().readiness().path()).isEqualTo("/up");
  }

  @Test
  void aContainerThatRunsToItsExitHasDefaults() {
    MediaSettings.Type.Exits type =
        (MediaSettings.Type.Exits) type(exec("type: exec\nwork_dir: /srv/yue"));
    assertThat(type.recipe().files()).isEmpty();
    assertThat(type.recipe().results()).isEqualTo("out");
  }
}
