package dev.swapgate.proxy.e2e;

import dev.swapgate.backends.sim.CardJournal;
import dev.swapgate.backends.sim.PretendCard;
import dev.swapgate.backends.sim.Sim;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One engine and ComfyUI as containers of the private daemon, in its network namespace, which no
 * other program shares: ports are simply counted.
 */
final class FaultBox implements AutoCloseable {
  /** How long the step lasts that is to be hit. */
  private static final Duration LONG = Duration.ofSeconds(4);

  private static final int FIRST_PORT = 20_000;

  final PrivateDocker docker;
  private final Path folder;
  private final Path card;
  private final int number;
  private final Step step;
  private final Map<Place, List<String>> created = new java.util.EnumMap<>(Place.class);

  /**
   * @param number tells this box from others on the daemon
   */
  FaultBox(PrivateDocker docker, Path folder, int number, Step step) throws IOException {
    this.docker = docker;
    this.folder = folder;
    this.number = number;
    this.step = step;
    this.card = Files.createDirectory(folder.resolve("card"));
    Files.createDirectory(folder.resolve("results"));
    boolean slowStop = step == Step.STOPPING_ENGINE || step == Step.STOPPING_MEDIA;
    boolean slowStart = step == Step.MEDIA_READINESS || step == Step.PROBING_ENGINE;
    boolean slowJob = step == Step.JOB_RUNNING;
    for (Place place : List.of(Place.VLLM, Place.COMFYUI)) {
      created.put(
          place,
          List.of(
              "SIM_NAME=" + place,
              "SIM_CARD=/card",
              "SIM_PORT=" + port(place),
              "SIM_LOAD_TIME=" + (slowStart && place == step.place ? "3s" : "300ms"),
              "SIM_STEP_TIME=" + (slowJob ? "200ms" : "20ms"),
              "SIM_IGNORE_TERM=" + (slowStop && place == step.place)));
      create(place);
    }
  }

  /** As {@code docker create} would, again too when it was removed. */
  void create(Place place) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "create",
                "--name",
                container(place),
                "--network",
                "host",
                "--stop-timeout",
                "3",
                "--volume",
                card + ":/card"));
    for (String variable : created.get(place)) {
      words.add("--env");
      words.add(variable);
    }
    words.add(Simulators.IMAGE);
    words.add(place.simulator);
    docker.docker(words.toArray(String[]::new));
  }

  /** Makes the step to be hit a long one, from now on. */
  void slowDown() {
    if (step == Step.WAITING_FOR_THE_CARD) {
      PretendCard.at(card).withLag(LONG);
    }
  }

  /** Changes the next start of a simulator, or its answers. */
  void fault(Place place, String what) throws IOException {
    Files.writeString(card.resolve("fault-" + place), what);
  }

  void noFault(Place place) throws IOException {
    Files.deleteIfExists(card.resolve("fault-" + place));
  }

  String container(Place place) {
    return place + "-" + number;
  }

  /** One value of what Docker says about it. */
  String inspect(Place place, String field) {
    return docker.docker("inspect", "--format", "{{" + field + "}}", container(place));
  }

  /** The pid of its process, as this machine sees it; waits until there is one. */
  long pid(Place place) {
    Await.until(
        () -> container(place) + " runs",
        Duration.ofSeconds(30),
        () -> !inspect(place, ".State.Pid").equals("0"));
    return Long.parseLong(inspect(place, ".State.Pid"));
  }

  private int port(Place place) {
    return FIRST_PORT + 10 * number + place.ordinal();
  }

  URI server(Place place) {
    return URI.create("http://127.0.0.1:" + port(place));
  }

  URI chat() {
    return URI.create("http://127.0.0.1:" + (FIRST_PORT + 10 * number + 8));
  }

  URI admin() {
    return URI.create("http://127.0.0.1:" + (FIRST_PORT + 10 * number + 9));
  }

  Path folder() {
    return folder;
  }

  Path results() {
    return folder.resolve("results");
  }

  Path state() {
    return folder.resolve("state");
  }

  CardJournal journal() {
    return CardJournal.of(card);
  }

  Path config(int budgetSeconds) throws IOException {
    return Files.writeString(
        folder.resolve("swapgate.yaml"),
        """
        listen: %s
        admin: {listen: "%s"}
        state_dir: %s
        results_dir: %s
        docker: {host: "%s"}
        card: {index: 0, tool: "%s"}
        selected: vllm
        engines:
          vllm:
            container: %s
            url: %s
            readiness: {path: /health, budget: %4$ss, interval: 100ms, timeout: 1s}
            drain: 4s
            stop_grace_period: 3s
        media:
          comfyui:
            type: comfyui
            container: %s
            url: %s
            readiness: {path: /system_stats, budget: %4$ss, interval: 100ms, timeout: 1s}
            generation: 100s
            stop_grace_period: 3s
            no_progress: 10s
        policy: {min_chat: 100ms}
        """
            .replace("%4$ss", budgetSeconds + "s")
            .formatted(
                chat().getAuthority(),
                admin().getAuthority(),
                state(),
                results(),
                docker.address(),
                tool(),
                container(Place.VLLM),
                server(Place.VLLM),
                container(Place.COMFYUI),
                server(Place.COMFYUI)));
  }

  private Path tool() throws IOException {
    try {
      Path classes = Path.of(Sim.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
      Path tool =
          Files.writeString(
              folder.resolve("nvidia-smi"),
              "#!/bin/sh\nSIM_CARD='%s' exec '%s' %s -cp '%s' %s nvidia-smi \"$@\"\n"
                  .formatted(
                      card,
                      java,
                      "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx32m",
                      classes,
                      Sim.class.getName()));
      return Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
    } catch (URISyntaxException e) {
      throw new IllegalStateException("the simulators' classes are nowhere", e);
    }
  }

  @Override
  public void close() {
    for (Place place : created.keySet()) {
      docker.docker("rm", "--force", "--volumes", container(place));
    }
    Program.isOk("umount", results().toString());
  }
}
