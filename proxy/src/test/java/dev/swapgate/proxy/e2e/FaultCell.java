package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.backends.sim.ComfyGraph;
import dev.swapgate.gate.port.JobAdapter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * One cell of the matrix: swapgate, a process of its own, is driven to a step, the fault is done
 * and undone, and then everything must have come to its end.
 */
final class FaultCell implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final Step step;
  private final Fault fault;
  private final FaultBox box;
  private final Path config;
  private final AdminApi admin;
  private CommandLine swapgate;
  private long remembered;

  FaultCell(PrivateDocker docker, Path folder, int number, Step step, Fault fault)
      throws IOException {
    this.step = step;
    this.fault = fault;
    this.box = new FaultBox(docker, folder, number, step);
    this.config = box.config(fault.budgetSeconds());
    this.swapgate = CommandLine.serve(folder, config, box.admin());
    this.admin = new AdminApi(box.admin(), () -> swapgate.said());
  }

  FaultBox box() {
    return box;
  }

  CommandLine swapgate() {
    return swapgate;
  }

  Step step() {
    return step;
  }

  Place place() {
    return step.place;
  }

  void serveAgain() throws IOException {
    swapgate = CommandLine.serve(box.folder(), config, box.admin());
  }

  long pid() {
    return box.pid(place());
  }

  void remember(long pid) {
    remembered = pid;
  }

  long remembered() {
    return remembered;
  }

  void awaitReason(String word) {
    admin.awaitStatus(
        "'" + word + "' as reason", status -> status.path("reason").asText().contains(word));
  }

  /** Waits until swapgate tells this state of the step's container. */
  void awaitState(String state) {
    String kind = place() == Place.VLLM ? "engines" : "media";
    admin.awaitStatus(
        place() + " is " + state,
        status -> status.path(kind).path(0).path("state").asText().equals(state));
  }

  void awaitExit(int code) {
    Await.until(
        () -> place() + " ended with " + code + "; Docker says " + exit(),
        PATIENCE,
        () -> exit().equals("false " + code));
  }

  private String exit() {
    return box.inspect(place(), ".State.Running") + " " + box.inspect(place(), ".State.ExitCode");
  }

  /** What came of it, in one word or two. */
  String run() throws IOException {
    admin.awaitChat(Place.VLLM);
    fault.arm(this);
    box.slowDown();
    Optional<String> job = Optional.empty();
    try (KeptConnection reader = new KeptConnection(box.chat())) {
      if (step == Step.DRAINING) {
        Chat.beginLongStream(reader, Place.VLLM);
      }
      if (step != Step.SERVING) {
        job = Optional.of(submit());
      }
      admin.awaitStatus("the step " + step, step::isAt);
      if (step == Step.JOB_RUNNING) {
        awaitRender();
      }
      fault.inject(this);
    }
    if (fault == Fault.DISK_FULL_FOR_RESULTS) {
      job = Optional.of(job.isPresent() ? job.get() : submit());
      awaitTrouble(job.get());
    }
    fault.heal(this);
    String id = job.isPresent() ? job.get() : submit();
    return assertEverythingHeld(id);
  }

  /** A job that could not be written is not accepted. */
  void assertSubmissionIsRefused() {
    assertThatThrownBy(this::submit)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("answered 5");
  }

  private String submit() throws IOException {
    return admin.submit(Place.COMFYUI, "workflow", SwapIT.workflow());
  }

  /** From here on the job has been submitted, and a render under way is to be lost or adopted. */
  private void awaitRender() {
    try (AdminApi comfyUi = new AdminApi(box.server(Place.COMFYUI))) {
      Await.until(
          () -> "ComfyUI renders",
          PATIENCE,
          () -> !comfyUi.get("/queue").path("queue_running").isEmpty());
    }
  }

  /** The disk stays full until the render is there to be written, or was written before. */
  private void awaitTrouble(String id) {
    try (AdminApi comfyUi = new AdminApi(box.server(Place.COMFYUI))) {
      Await.until(
          () -> "the render, or the end of " + admin.job(id),
          PATIENCE,
          () -> admin.job(id).hasNonNull("ended") || hasRendered(comfyUi));
    }
  }

  private static boolean hasRendered(AdminApi comfyUi) {
    return comfyUi.code("/history") == 200 && !comfyUi.get("/history").isEmpty();
  }

  private String assertEverythingHeld(String id) throws IOException {
    JsonNode job = admin.awaitEnd(id);
    admin.awaitChat(Place.VLLM);
    try (KeptConnection client = new KeptConnection(box.chat())) {
      Chat.assertAnsweredBy(Place.VLLM, Chat.ask(client, Chat.OPENAI));
    }
    assertThat(box.journal().failedClaims()).isEmpty();
    assertThat(box.journal().overlaps()).isEmpty();
    assertThat(admin.job(id)).as("a final state never changes").isEqualTo(job);
    assertThat(admin.get("/api/v1/jobs").path("jobs")).hasSize(1);
    assertThat(job.path("state").asText()).as("%s", job).isEqualTo("done");
    Set<String> told = new TreeSet<>();
    for (JsonNode name : job.path("files")) {
      told.add(name.asText());
      assertThat(Files.readAllBytes(box.results().resolve(id).resolve(name.asText())))
          .isEqualTo(
              ComfyGraph.expectedFile(
                  SwapIT.workflow(), name.asText().startsWith("positive") ? "8" : "9", 0));
    }
    try (Stream<Path> files = Files.list(box.results().resolve(id))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .hasSize(3)
          .contains(JobAdapter.CHECKSUMS)
          .containsAll(told);
    }
    assertThat(swapgate.isAlive()).as(swapgate.said()).isTrue();
    return job.path("attempts").asInt() == 1 ? "" : job.path("attempts").asInt() + " attempts";
  }

  @Override
  public void close() {
    swapgate.close();
    admin.close();
    box.close();
  }
}
