package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.backends.sim.ComfyGraph;
import dev.swapgate.backends.sim.SimMusic;
import dev.swapgate.proxy.e2e.KeptConnection.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One job from chat to media and back, as a chat client and the card's owner see it. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class SwapIT extends RealBox {
  /** Longer than the whole budget of the other engine. */
  private static final Duration NINFER_LOADS = Duration.ofSeconds(BoxYaml.VLLM_BUDGET_SECONDS + 2L);

  private static final String SONG =
      """
      {"prompt":"slow waltz, accordion","lyrics":"rain on a roof","use_random_seed":false,
       "seed":7,"batch_size":1,"inference_steps":20}""";

  @BeforeEach
  void chatIsServed() throws Exception {
    open(NINFER_LOADS);
    serveHere(box.configFile());
  }

  @Test
  void aWorkflowOfComfyUiTakesTheCardAndGivesItBack() throws Exception {
    String workflow = workflow();

    JsonNode job = goThereAndBack(Place.VLLM, Place.COMFYUI, "workflow", workflow);

    assertTwoPictures(job, workflow);
    box.events().assertOneVisit(Place.VLLM, Place.COMFYUI);
  }

  @Test
  void aSongTakesTheCardAndGivesItBack() throws Exception {
    JsonNode job = goThereAndBack(Place.VLLM, Place.MUSIC, "request", SONG);

    assertThat(filesOf(job).values())
        .containsExactly(SimMusic.expectedAudio("slow waltz, accordion", "rain on a roof", 7, 0));
    box.events().assertOneVisit(Place.VLLM, Place.MUSIC);
  }

  /** It loads for longer than the other engine may, and only its own path tells that it is up. */
  @Test
  void theEngineThatIsSelectedComesBackWithinItsOwnBudget() throws Exception {
    admin.post("select", "{\"engine\":\"ninfer\"}");
    admin.awaitChat(Place.NINFER);
    String workflow = workflow();

    JsonNode job = goThereAndBack(Place.NINFER, Place.COMFYUI, "workflow", workflow);

    assertTwoPictures(job, workflow);
    assertThat(box.events().allOnceSeen("start ninfer", 2))
        .containsExactly(
            "start vllm",
            "kill vllm",
            "die vllm",
            "start ninfer",
            "kill ninfer",
            "die ninfer",
            "start comfyui",
            "kill comfyui",
            "die comfyui",
            "start ninfer");
    assertThat(box.isRunning(Place.VLLM)).isFalse();
  }

  /** What holds for every engine and every media backend; the job as it stands at the end. */
  private JsonNode goThereAndBack(Place engine, Place media, String field, String request)
      throws Exception {
    try (KeptConnection client = new KeptConnection(box.chat());
        KeptConnection reader = new KeptConnection(box.chat())) {
      Chat.assertAnsweredBy(engine, Chat.ask(client, Chat.OPENAI));
      Chat.beginLongStream(reader, engine);
      int before = box.events().all().size();

      String id = admin.submit(media, field, request);

      admin.awaitStatus("chat is shut", status -> !status.path("chat_open").asBoolean());
      int early = assertRefusedInTime(client, engine, Chat.OPENAI);
      // A stream is still inside, so the engine must not have been told to stop.
      assertThat(box.isRunning(engine)).as("the engine while chat is drained").isTrue();
      assertThat(box.events().all()).hasSize(before);
      Chat.assertEndsWhole(reader);

      admin.awaitStatus("the job runs", status -> status.path("phase").asText().equals("running"));
      assertThat(box.isRunning(engine)).as("the engine while the job runs").isFalse();
      assertThat(box.isRunning(media)).isTrue();
      assertRefusedInTime(client, engine, Chat.ANTHROPIC);
      assertRefusedInTime(client, engine, Chat.OLLAMA);
      assertThat(assertRefusedInTime(client, engine, Chat.OPENAI))
          .as("Retry-After when the job runs; it was %d when chat was shut", early)
          .isLessThan(early);

      JsonNode job = admin.awaitEnd(id);
      assertThat(job.path("state").asText()).as("%s", job).isEqualTo("done");
      assertThat(job.path("attempts").asInt()).isEqualTo(1);
      admin.awaitChat(engine);
      Chat.assertAnsweredBy(engine, Chat.ask(client, Chat.OPENAI));
      assertThat(box.isRunning(media)).as("the media container once chat is back").isFalse();
      assertOneAtATime();
      return job;
    }
  }

  /**
   * Asks and is refused, with what is left of the job's generation since chat was shut and, where
   * it is known, of the engine's way back.
   */
  private int assertRefusedInTime(KeptConnection client, Place engine, String path)
      throws IOException {
    JsonNode before = admin.status();
    Answer answer = Chat.ask(client, path);
    JsonNode after = admin.status();

    Chat.assertRefused(path, answer);
    JsonNode restore = restore(before, engine);
    int least = BoxYaml.GENERATION_SECONDS + restore.asInt() - (elapsedSeconds(after) + 1);
    int most =
        BoxYaml.GENERATION_SECONDS
            + (restore.isNumber() ? restore.asInt() + 1 : 0)
            - elapsedSeconds(before);
    assertThat(answer.retryAfter())
        .as("Retry-After between %s and %s", before, after)
        .isBetween(least, most);
    return answer.retryAfter();
  }

  private static int elapsedSeconds(JsonNode status) {
    return status.path("swap").path("elapsed_seconds").asInt();
  }

  private static JsonNode restore(JsonNode status, Place engine) {
    for (JsonNode one : status.path("engines")) {
      if (one.path("name").asText().equals(engine.toString())) {
        return one.path("last_ready_seconds");
      }
    }
    throw new AssertionError("no " + engine + " in " + status);
  }

  private void assertTwoPictures(JsonNode job, String workflow) throws IOException {
    Map<String, byte[]> files = filesOf(job);
    assertThat(files.keySet()).as("%s", job).hasSize(2);
    assertThat(startingWith(files, "positive"))
        .containsExactly(ComfyGraph.expectedFile(workflow, "8", 0));
    assertThat(startingWith(files, "negative"))
        .containsExactly(ComfyGraph.expectedFile(workflow, "9", 0));
  }

  private static Collection<byte[]> startingWith(Map<String, byte[]> files, String prefix) {
    return files.entrySet().stream()
        .filter(file -> file.getKey().startsWith(prefix))
        .map(Map.Entry::getValue)
        .toList();
  }

  /** The job's files as they lie on disk. */
  private Map<String, byte[]> filesOf(JsonNode job) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    for (JsonNode name : job.path("files")) {
      Path file = box.results().resolve(job.path("id").asText()).resolve(name.asText());
      files.put(name.asText(), Files.readAllBytes(file));
    }
    return files;
  }

  static String workflow() throws IOException {
    try (InputStream in = SwapIT.class.getResourceAsStream("two-pictures.json")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
