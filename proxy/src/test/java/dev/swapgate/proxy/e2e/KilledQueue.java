package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.backends.sim.ComfyGraph;
import dev.swapgate.gate.port.JobAdapter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Queues of 20 jobs, during which swapgate is killed (SIGKILL) at moments that follow from a seed
 * and started again. Each job must end once, done, with each of its files once and whole; the card
 * must never have two owners.
 */
final class KilledQueue implements AutoCloseable {
  static final int JOBS = 20;

  /** Short visits, so that few kills meet the same phase. */
  private static final String POLICY = "{min_chat: 100ms, max_outage: 2s}";

  private static final int LONGEST_LIFE_MILLIS = 4000;
  private static final int LONGEST_START_MILLIS = 2000;
  private static final Duration PATIENCE = Duration.ofMinutes(20);

  private final Path folder;
  private final SplittableRandom random;
  private final FakeBox box;
  private final Path config;
  private final AdminApi admin;
  private final Map<String, Integer> killedIn = new TreeMap<>();
  private final Map<String, String> workflows = new TreeMap<>();
  private final Map<String, JsonNode> ended = new TreeMap<>();
  private int kills;
  private int queues;
  private int files;
  private CommandLine swapgate;

  KilledQueue(Path folder, long seed) throws Exception {
    this.folder = folder;
    this.random = new SplittableRandom(seed);
    this.box = new FakeBox(folder, Map.of("SIM_STEP_TIME", "15ms"));
    this.config = box.config("{min_chat: 100ms}", POLICY);
    this.swapgate = CommandLine.serve(folder, config, box.admin());
    this.admin = new AdminApi(box.admin(), () -> swapgate.said());
  }

  /**
   * What was done and held.
   *
   * @param killedIn how often it was killed in which phase
   * @param attempts how many jobs took how many attempts
   */
  record Figures(
      int kills,
      int queues,
      int jobs,
      int files,
      Map<String, Integer> killedIn,
      Map<Integer, Long> attempts) {}

  /** Goes on, queue after queue, until it was killed so often. */
  Figures kill(int wanted) throws IOException {
    while (kills < wanted) {
      queue(wanted);
    }
    Map<Integer, Long> attempts =
        ended.values().stream()
            .collect(
                Collectors.groupingBy(
                    job -> job.path("attempts").asInt(), TreeMap::new, Collectors.counting()));
    return new Figures(kills, queues, ended.size(), files, killedIn, attempts);
  }

  private void queue(int wanted) throws IOException {
    queues++;
    Set<String> jobs = new TreeSet<>();
    for (int i = 0; i < JOBS; i++) {
      String workflow = SwapIT.workflow().replace("20260131", "" + (1000 * queues + i));
      String id = admin.submit(Place.COMFYUI, "workflow", workflow);
      workflows.put(id, workflow);
      jobs.add(id);
    }
    while (kills < wanted && !haveEnded(jobs)) {
      killAndStartAgain();
    }
    Await.until(
        () -> "the end of every job; they are " + admin.get("/api/v1/jobs"),
        PATIENCE,
        () -> haveEnded(jobs));
    admin.awaitChat(Place.VLLM);
    for (String id : jobs) {
      assertDoneOnce(id);
    }
    // A final state never changes, whatever happened since.
    ended.forEach((id, job) -> assertThat(admin.job(id)).isEqualTo(job));
    assertThat(box.journal().failedClaims()).isEmpty();
    assertThat(box.journal().overlaps()).isEmpty();
  }

  private void killAndStartAgain() throws IOException {
    swapgate.outlives(Duration.ofMillis(random.nextInt(LONGEST_LIFE_MILLIS)));
    String phase = admin.status().path("phase").asText();
    killed(phase);
    if (random.nextInt(5) == 0) {
      swapgate = CommandLine.begin(folder, config, "serve");
      swapgate.outlives(Duration.ofMillis(random.nextInt(LONGEST_START_MILLIS)));
      killed("its start");
    }
    swapgate = CommandLine.serve(folder, config, box.admin());
    admin.awaitStatus(
        "it has looked around", status -> !status.path("phase").asText().equals("booting"));
  }

  private void killed(String phase) {
    swapgate.kill();
    kills++;
    killedIn.merge(phase, 1, Integer::sum);
  }

  private boolean haveEnded(Set<String> jobs) {
    return jobs.stream().allMatch(id -> admin.job(id).hasNonNull("ended"));
  }

  private void assertDoneOnce(String id) throws IOException {
    JsonNode job = admin.job(id);
    assertThat(job.path("state").asText()).as("%s", job).isEqualTo("done");
    Map<String, byte[]> there = new TreeMap<>();
    try (Stream<Path> all = Files.list(box.results().resolve(id))) {
      for (Path file : all.toList()) {
        there.put(file.getFileName().toString(), Files.readAllBytes(file));
      }
    }
    assertThat(there.remove(JobAdapter.CHECKSUMS)).as("%s", job).isNotNull();
    Set<String> told = new TreeSet<>();
    job.path("files").forEach(name -> told.add(name.asText()));
    assertThat(there.keySet()).as("%s", job).hasSize(2).isEqualTo(told);
    there.forEach(
        (name, bytes) ->
            assertThat(bytes)
                .as("%s of %s", name, id)
                .isEqualTo(
                    ComfyGraph.expectedFile(
                        workflows.get(id), name.startsWith("positive") ? "8" : "9", 0)));
    files += there.size();
    ended.put(id, job);
  }

  @Override
  public void close() {
    admin.close();
    swapgate.close();
    box.close();
  }
}
