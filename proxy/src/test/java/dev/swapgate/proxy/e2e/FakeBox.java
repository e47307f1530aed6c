package dev.swapgate.proxy.e2e;

import dev.swapgate.backends.sim.CardJournal;
import dev.swapgate.backends.sim.FakeDockerApi;
import dev.swapgate.backends.sim.Sim;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The pretend box where no Docker daemon is needed: one engine and one media server (ComfyUI, if no
 * other is asked for) as processes behind the fake Docker API, which runs in the test's own process
 * and so outlives any swapgate. Gone again when closed.
 */
final class FakeBox implements AutoCloseable {
  private static final String COMFYUI_KEYS =
      """
      type: comfyui
      readiness: {path: /system_stats, budget: 60s, interval: 100ms}
      generation: 100s
      """;

  private final Path folder;
  private final Path card;
  private final FakeDockerApi docker;
  private final List<Integer> ports;
  private final Place media;
  private final String mediaKeys;
  private String moreEngines = "";

  /**
   * @param comfyUi further variables of that simulator
   */
  FakeBox(Path folder, Map<String, String> comfyUi) throws Exception {
    this(folder, Place.COMFYUI, COMFYUI_KEYS, comfyUi, java(folder));
  }

  /**
   * One with another media server.
   *
   * @param keys what the configuration says of it, besides where it is
   * @param variables of that simulator
   */
  static FakeBox with(Place media, String keys, Map<String, String> variables, Path folder)
      throws Exception {
    return new FakeBox(folder, media, keys, variables, java(folder));
  }

  /** One whose ComfyUI does not hear SIGTERM, as behind a shell that passes nothing on. */
  static FakeBox withDeafComfyUi(Path folder) throws Exception {
    String program = "trap '' TERM; exec '" + String.join("' '", java(folder)) + "' \"$@\"";
    return new FakeBox(
        folder, Place.COMFYUI, COMFYUI_KEYS, Map.of(), List.of("sh", "-c", program, "sh"));
  }

  private FakeBox(
      Path folder,
      Place media,
      String mediaKeys,
      Map<String, String> variables,
      List<String> program)
      throws Exception {
    this.folder = folder;
    this.media = media;
    this.mediaKeys = mediaKeys;
    this.card = Files.createDirectory(folder.resolve("card"));
    this.ports = Simulators.freePorts(7);
    this.docker = new FakeDockerApi(folder.resolve("docker.sock"), Map.of());
    create(Place.VLLM, java(folder), Map.of("SIM_LOAD_TIME", "300ms"));
    create(media, program, variables);
  }

  /** Adds a second engine. */
  FakeBox andNinfer() throws Exception {
    create(Place.NINFER, java(folder), Map.of("SIM_LOAD_TIME", "300ms"));
    moreEngines =
        """
          ninfer:
            container: ninfer
            url: %s
            readiness: {path: /health, budget: 60s, interval: 100ms}
        """
            .formatted(server(Place.NINFER));
    return this;
  }

  private static List<String> java(Path folder) throws Exception {
    Path classes = Path.of(Sim.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Xmx96m",
        mark(folder),
        "-cp",
        classes.toString(),
        Sim.class.getName());
  }

  private void create(Place place, List<String> program, Map<String, String> more) {
    Map<String, String> variables = new TreeMap<>(more);
    variables.put("SIM_NAME", place.toString());
    variables.put("SIM_CARD", card.toString());
    variables.put("SIM_DATA", folder.resolve(place.toString()).toString());
    variables.put("SIM_PORT", Integer.toString(server(place).getPort()));
    List<String> command = new ArrayList<>(program);
    command.add(place.simulator);
    docker.create(place.toString(), command, variables);
  }

  FakeDockerApi docker() {
    return docker;
  }

  URI chat() {
    return URI.create("http://127.0.0.1:" + ports.get(2));
  }

  URI admin() {
    return URI.create("http://127.0.0.1:" + ports.get(3));
  }

  /** Where another swapgate on the same box would have its admin side. */
  URI otherAdmin() {
    return URI.create("http://127.0.0.1:" + ports.get(5));
  }

  URI server(Place place) {
    int at =
        switch (place) {
          case VLLM -> 0;
          case NINFER -> 6;
          default -> 1;
        };
    return URI.create("http://127.0.0.1:" + ports.get(at));
  }

  Path results() {
    return folder.resolve("state/results");
  }

  /** Of the admin side. */
  String token() throws IOException {
    return Files.readString(folder.resolve("state/admin.token")).strip();
  }

  CardJournal journal() {
    return CardJournal.of(card);
  }

  /** The configuration of the swapgate on this box. */
  Path config() throws IOException {
    return config("state", ports.get(2), ports.get(3));
  }

  /** The same, with each of these texts replaced by the one after it, wherever it stands. */
  Path config(String... replacements) throws IOException {
    Path file = config();
    String yaml = Files.readString(file);
    for (int i = 0; i < replacements.length; i += 2) {
      if (!yaml.contains(replacements[i])) {
        throw new AssertionError("no '" + replacements[i] + "' in " + yaml);
      }
      yaml = yaml.replace(replacements[i], replacements[i + 1]);
    }
    return Files.writeString(file, yaml);
  }

  /** That of another one, with a state folder and ports of its own, for the same containers. */
  Path otherConfig() throws IOException {
    return config("other", ports.get(4), ports.get(5));
  }

  private Path config(String state, int chat, int admin) throws IOException {
    return Files.writeString(
        folder.resolve(state + ".yaml"),
        """
        listen: 127.0.0.1:%d
        admin: {listen: "127.0.0.1:%d"}
        state_dir: %s
        docker: {host: "%s"}
        card: {index: 0, tool: "%s"}
        selected: vllm
        engines:
          vllm:
            container: vllm
            url: %s
            readiness: {path: /health, budget: 60s, interval: 100ms}
            drain: 30s
            stop_grace_period: 5s
        %smedia:
          %s:
            container: %s
            url: %s
            stop_grace_period: 3s
        %s\
        policy: {min_chat: 100ms}
        """
            .formatted(
                chat,
                admin,
                folder.resolve(state),
                docker.address(),
                tool(),
                server(Place.VLLM),
                moreEngines,
                media,
                media,
                server(media),
                mediaKeys.indent(4)));
  }

  private Path tool() throws IOException {
    Path tool = folder.resolve("nvidia-smi");
    if (Files.exists(tool)) {
      return tool;
    }
    try {
      String java = String.join("' '", java(folder));
      Files.writeString(
          tool, "#!/bin/sh\nSIM_CARD='%s' exec '%s' nvidia-smi \"$@\"\n".formatted(card, java));
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("the simulators' classes are nowhere", e);
    }
    return Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Begins to serve, and waits until chat goes to the engine, which swapgate starts itself. */
  CommandLine serve() throws IOException {
    CommandLine swapgate = CommandLine.serve(folder, config(), admin());
    try (AdminApi api = new AdminApi(admin(), swapgate::said)) {
      api.awaitChat(Place.VLLM);
    }
    return swapgate;
  }

  /** Waits until ComfyUI renders. */
  void awaitRender() {
    try (AdminApi comfyUi = new AdminApi(server(Place.COMFYUI))) {
      Await.until(
          () -> "ComfyUI renders",
          Duration.ofSeconds(60),
          () -> !comfyUi.get("/queue").path("queue_running").isEmpty());
    }
  }

  /** Ends the processes, and waits for those that a killed swapgate left behind. */
  @Override
  public void close() {
    docker.close();
    Await.until(
        () -> "the last process on the card has ended",
        Duration.ofSeconds(20),
        () -> ProcessHandle.allProcesses().noneMatch(this::isOurs));
  }

  private boolean isOurs(ProcessHandle process) {
    return process.info().commandLine().filter(line -> line.contains(mark(folder))).isPresent();
  }

  /** Among the arguments of every simulator of this box. */
  private static String mark(Path folder) {
    return "-Dsim.folder=" + folder;
  }
}
