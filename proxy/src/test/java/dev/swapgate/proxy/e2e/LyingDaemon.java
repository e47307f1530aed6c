package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.backends.sim.DockerFaults;
import dev.swapgate.proxy.app.Assembly;
import dev.swapgate.proxy.app.RunningSwapgate;
import dev.swapgate.proxy.config.ConfigLoader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The whole program on a Docker daemon that loses requests and replies, does things late, tells
 * events twice or not at all, answers 500, half an answer or nothing. It lies while jobs and chat
 * come in, then it is honest, and everything must heal.
 */
final class LyingDaemon {
  private static final int PERCENT = 15;
  private static final int JOBS = 3;
  private static final int FAULTS_PER_JOB = 6;

  /** A call that never ends is over sooner than on a real box. */
  private static final String[] IMPATIENT = {
    "budget: 60s,",
    "budget: 20s,",
    "generation:",
    "start: 5s\n    generation:",
    "drain:",
    "start: 5s\n    drain:"
  };

  private static final Duration PATIENCE = Duration.ofSeconds(150);

  private LyingDaemon() {}

  /** One world; how often each lie was told. */
  static Map<String, Integer> lieAndHeal(Path folder, long seed) throws Exception {
    Map<String, Integer> lies = new TreeMap<>();
    try (FakeBox box = new FakeBox(folder, Map.of())) {
      DockerFaults faults = box.docker().faults();
      try (RunningSwapgate running =
              Assembly.start(new ConfigLoader(Map.of()).load(box.config(IMPATIENT)));
          AdminApi admin = new AdminApi(box.admin())) {
        admin.awaitChat(Place.VLLM);
        assertThat(running.adminAddress().getPort()).isEqualTo(box.admin().getPort());
        faults.atRandom(seed, PERCENT);
        List<String> jobs = new ArrayList<>();
        while (jobs.size() < JOBS) {
          jobs.add(admin.submit(Place.COMFYUI, "workflow", SwapIT.workflow()));
          int wanted = jobs.size() * FAULTS_PER_JOB;
          Await.until(
              () -> wanted + " faults; they are " + faults.done() + " at " + admin.status(),
              PATIENCE,
              () -> {
                assertHonest(box);
                return faults.done().values().stream().mapToInt(Integer::intValue).sum() >= wanted;
              });
        }
        faults.none();
        faults.done().forEach((kind, count) -> lies.put(kind.name(), count));

        admin.awaitChat(Place.VLLM);
        for (String id : jobs) {
          assertEndedOrWaits(admin, box, id, seed);
        }
        admin.awaitChat(Place.VLLM);
        assertHonest(box);
        assertThat(box.journal().failedClaims()).as("seed %d", seed).isEmpty();
        assertThat(box.journal().overlaps()).as("seed %d", seed).isEmpty();
      }
    }
    return lies;
  }

  /** Chat is answered by the engine, or refused with a number of seconds. */
  private static void assertHonest(FakeBox box) {
    try (KeptConnection client = new KeptConnection(box.chat())) {
      KeptConnection.Answer answer = Chat.ask(client, Chat.OPENAI);
      if (answer.status() == 200) {
        Chat.assertAnsweredBy(Place.VLLM, answer);
      } else {
        assertThat(answer.status()).as("%s", answer).isIn(429, 503);
        assertThat(answer.retryAfter()).isBetween(30, 900);
      }
    } catch (IOException e) {
      throw new AssertionError("chat was neither answered nor refused", e);
    }
  }

  /** One that waits for a backend that was set aside says so. */
  private static void assertEndedOrWaits(AdminApi admin, FakeBox box, String id, long seed)
      throws Exception {
    Await.until(
        () -> "the end of " + admin.job(id) + " of seed " + seed + " at " + admin.status(),
        PATIENCE,
        () ->
            admin.job(id).hasNonNull("ended")
                || admin.status().path("reason").asText().contains("is set aside: "));
    JsonNode job = admin.job(id);
    if (job.hasNonNull("ended")) {
      assertThat(job.path("state").asText()).as("seed %d: %s", seed, job).isEqualTo("done");
      for (JsonNode name : job.path("files")) {
        assertThat(box.results().resolve(id).resolve(name.asText())).exists();
      }
      assertThat(job.path("files")).hasSize(2);
    } else {
      assertThat(job.path("state").asText()).as("seed %d: %s", seed, job).isEqualTo("queued");
    }
  }
}
