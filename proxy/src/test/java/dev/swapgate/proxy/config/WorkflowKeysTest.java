package dev.swapgate.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.proxy.workflows.Workflow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code workflows}: what is read, and each kind of mistake. */
class WorkflowKeysTest {

  private static final String BOX =
      """
      engines: {a: {container: a, url: "http://127.0.0.1:8000", models: {fast: x}}}
      media:
        art: {type: comfyui, container: art, url: "http://127.0.0.1:8188"}
        voice:
          type: sync_http
          container: voice
          url: http://127.0.0.1:8880
          needs: [input]
          defaults: {speed: 1.5}
          call: {path: /speak, send: json}
      """;

  @TempDir Path folder;

  @BeforeEach
  void files() throws Exception {
    Files.createDirectory(folder.resolve("w"));
    Files.writeString(
        folder.resolve("w/portrait.json"),
        """
        {"3": {"class_type": "KSampler", "inputs": {"seed": 7, "add": true, "model": ["4", 0]}},
         "6": {"class_type": "CLIPTextEncode", "inputs": {"text": "a cat"}, "_meta": {"title": "Say"}},
         "10": {"class_type": "LoadImage", "inputs": {"image": "face.png"}}}
        """);
    Files.writeString(folder.resolve("w/speech.json"), "{\"style\": {\"mood\": \"calm\"}}");
    Files.writeString(folder.resolve("w/editor.json"), "{\"nodes\": [], \"links\": []}");
  }

  private SwapgateConfig load(String workflows) {
    return new ConfigLoader(Map.of()).parse("f.yaml", BOX + "workflows:\n" + workflows, folder);
  }

  private List<String> problems(String workflows) {
    return new Refused(folder).problemsOf(BOX + "workflows:\n" + workflows);
  }

  @Test
  void readsAGraphAndWhatMayBeGiven() {
    SwapgateConfig config =
        load(
            """
              portrait:
                backend: art
                file: w/portrait.json
                inputs: {prompt: Say.text, seed: 3.seed, add: 3.add, face: 10.image}
            """);

    Workflow portrait = config.workflows().find("portrait").orElseThrow();
    assertThat(portrait.backend()).hasToString("art");
    assertThat(portrait.inputs())
        .extracting(input -> input.name() + " " + input.kind() + " " + input.standard())
        .containsExactly(
            "prompt TEXT \"a cat\"", "seed NUMBER 7", "add FLAG true", "face FILE \"face.png\"");
    assertThat(portrait.addressed(Map.of("prompt", "a dog", "3.cfg", "8")))
        .isEqualTo(Map.of("Say.text", "a dog", "3.cfg", "8"));
    assertThat(EffectiveConfig.lines(config))
        .contains("  portrait:", "    backend: art", "      prompt: \"Say.text\"");
  }

  @Test
  void readsATemplateForADescribedServer() {
    SwapgateConfig config =
        load(
            """
              news:
                backend: voice
                file: w/speech.json
                inputs: {text: input, speed: speed, mood: style.mood}
            """);

    assertThat(config.workflows().find("news").orElseThrow().inputs())
        .extracting(input -> input.name() + " " + input.at() + " " + input.kind())
        .containsExactly("text input TEXT", "speed speed NUMBER", "mood style.mood TEXT");
  }

  @Test
  void tellsWhatIsNowhere() {
    assertThat(
            problems(
                """
                  portrait:
                    backend: paint
                    file: w/none.json
                  editor: {backend: art, file: w/editor.json}
                  wrong:
                    backend: art
                    file: w/portrait.json
                    inputs: {prompt: 6.txt, model: 3.model, Seed: 3.seed}
                  speech: {backend: voice, file: w/speech.json, inputs: {voice: voice}}
                  art: {backend: art, file: w/portrait.json}
                  fast: {backend: art}
                """))
        .containsExactly(
            "f.yaml:13: workflows.portrait.backend: \"paint\" is no media backend; there are: art,"
                + " voice",
            "f.yaml:14: workflows.portrait.file: there is no file " + folder + "/w/none.json",
            "f.yaml:15: workflows.editor.file: "
                + folder
                + "/w/editor.json is a workflow as the ComfyUI editor saves it, which its server"
                + " does not accept; in ComfyUI choose Workflow → Export (API) and take that file",
            "f.yaml:19: workflows.wrong.inputs: \"Seed\" is no name for an input; use a-z 0-9 _ -"
                + " and begin with a letter",
            "f.yaml:19: workflows.wrong.inputs: prompt: 6.txt is not in the workflow; write"
                + " NODE.input, the node by its id or its title, for example 3.seed",
            "f.yaml:19: workflows.wrong.inputs: model: 3.model is wired to another node; name the"
                + " value there",
            "f.yaml:20: workflows.speech.inputs: voice: voice is not in the request, and its backend"
                + " does not ask for it",
            "f.yaml:21: workflows.art: is the name of a media backend; choose another one",
            "f.yaml:22: workflows.fast: is the name of a chat model under engines; choose another"
                + " one",
            "f.yaml:22: workflows.fast.file: is missing; name the file in which the workflow or"
                + " request lies");
  }
}
