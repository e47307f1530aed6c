package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.backends.sim.CardJournal;
import dev.swapgate.proxy.workflows.Pictures;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Somebody who has just read the README: on a bare machine that has a JDK and Docker, in a fresh
 * clone, command by command as it shows them, with containers of the real daemon that pretend to be
 * a box.
 */
@Timeout(value = 1800, unit = TimeUnit.SECONDS)
class StrangerIT {
  private static final String SERVE = "scripts/swapgate --config swapgate.yaml serve";

  /** From the beginning of a command to the reason why it is not typed here. */
  private static final Map<String, String> ELSEWHERE =
      Map.of(
          "./scripts/test", "it is what runs this",
          "mvn -q package -DskipTests && docker build", "ComposeIT",
          "docker compose", "ComposeIT",
          "cd compose", "ComposeIT");

  @TempDir Path folder;
  private final String prefix = "stranger-" + UUID.randomUUID().toString().substring(0, 8) + "-";
  private final Map<String, String> environment = new LinkedHashMap<>();
  private final List<String> made = new ArrayList<>();
  private BareMachine machine;
  private Path card;
  private List<Integer> ports;
  private Path home;

  @BeforeEach
  void makesTheBox() throws Exception {
    Simulators.assumeThere();
    ports = Simulators.freePorts(6);
    card = Files.createDirectory(folder.resolve("card"));
    machine = BareMachine.make(folder);
    home = clone(folder.resolve("swapgate"));
    create(0, "vllm", "engine", 8000);
    create(1, "ninfer", "engine", 8080);
    create(2, "comfyui", "comfyui", 8188);
    create(3, "ace-step", "music", 8001);
    Program.run("docker", "start", prefix + "vllm");
    environment.put("PATH", home.resolve("scripts/pretend") + ":" + BareMachine.PATH);
    environment.put("HOME", "/root");
    // What the demo mounts into containers must be there for the daemon too.
    environment.put("TMPDIR", folder.toString());
    environment.put("SIM_CARD", card.toString());
    environment.put("SWAPGATE_LISTEN", "127.0.0.1:" + ports.get(4));
    environment.put("SWAPGATE_ADMIN_LISTEN", "127.0.0.1:" + ports.get(5));
    Path demo = home.resolve("scripts/demo.d");
    Files.copy(demo.resolve("picture.json"), home.resolve("portrait.json"));
    Files.copy(demo.resolve("picture.json"), home.resolve("film.json"));
    Files.createDirectory(home.resolve("workflows"));
    Files.copy(demo.resolve("picture.json"), home.resolve("workflows/portrait.json"));
    String graph = Files.readString(demo.resolve("picture.json"));
    Files.write(home.resolve("old.png"), Pictures.png(Pictures.text("prompt", graph)));
    Files.copy(demo.resolve("song.json"), home.resolve("song.json"));
    Files.writeString(home.resolve("prompts.txt"), "a lighthouse\na harbour\n");
    Files.writeString(
        home.resolve("config.yaml"),
        "models: {big: {cmd: 'docker run --rm -p ${PORT}:8000 vllm/vllm-openai:v1'}}\n");
  }

  /** What a clone would have, were all that is here committed. */
  private Path clone(Path place) {
    Program.run(
        "bash",
        "-c",
        "git clone -q \"$0\" \"$1\" && cd \"$0\""
            + " && git ls-files -z --cached --others --exclude-standard"
            + " | tar -c --null --ignore-failed-read -T - | tar -x -C \"$1\"",
        Simulators.checkout().toString(),
        place.toString());
    return place;
  }

  private void create(int port, String service, String simulator, int inside) {
    made.add(prefix + service);
    Program.run(
        "docker",
        "create",
        "--name=" + prefix + service,
        "--label=com.docker.compose.service=" + service,
        "--label=dev.swapgate.test=stranger",
        "--env=SIM_NAME=" + service,
        "--env=SIM_CARD=/card",
        "--env=SIM_PORT=" + inside,
        "--env=SIM_STEP_TIME=100ms",
        "--env=SIM_LOAD_TIME=500ms",
        "--volume=" + card + ":/card",
        "--publish=127.0.0.1:" + ports.get(port) + ":" + inside,
        Simulators.IMAGE,
        simulator);
  }

  @AfterEach
  void takesItAway() {
    made.forEach(container -> Program.isOk("docker", "rm", "-f", container));
    machine.remove();
  }

  @Test
  void getsFromNothingToADoneJobByTheReadmeAlone() throws Exception {
    Process serving = null;
    try {
      for (String command : Readme.commands()) {
        if (isElsewhere(command)) {
          continue;
        }
        if (command.equals(SERVE)) {
          serving = begin(command, "serve.log");
          awaitChat();
          continue;
        }
        if (command.endsWith("--hold")) {
          holds(command);
          continue;
        }
        String said = type(command);
        if (command.equals("scripts/swapgate init")) {
          isOnlyWhatThisBoxHas();
        }
        if (command.contains("--from llama-swap")) {
          assertThat(said).contains("docker create --name big -p 5800:8000");
        }
        if (command.startsWith("./scripts/demo")) {
          assertThat(said).contains("All of it went as it should");
        }
      }
      assertThat(serving).as("the README said " + SERVE).isNotNull();
      try (var pictures = Files.list(home.resolve("pictures"))) {
        assertThat(pictures).isNotEmpty();
      }
      assertThat(type("/opt/swapgate/scripts/swapgate --version"))
          .contains("+" + type("git rev-parse --short=12 HEAD").strip());
      assertThat(CardJournal.of(card).overlaps()).isEmpty();
      assertThat(CardJournal.of(card).failedClaims()).isEmpty();
    } finally {
      if (serving != null) {
        serving.destroyForcibly().waitFor();
      }
    }
  }

  private static boolean isElsewhere(String command) {
    return ELSEWHERE.keySet().stream().anyMatch(command::startsWith);
  }

  /** A machine that is shared has other containers too, which this test must leave alone. */
  private void isOnlyWhatThisBoxHas() throws IOException {
    Path file = home.resolve("swapgate.yaml");
    String text = Files.readString(file);
    assertThat(text.lines().filter(line -> line.startsWith("    container: ")))
        .containsExactlyInAnyOrderElementsOf(
            made.stream().map(name -> "    container: " + name).toList());
    assertThat(text).contains("selected: vllm").contains("# guess: its usual share");
    // Of all that could be changed: that nobody waits for a minute of chat, and the README's name.
    Files.writeString(
        file,
        text
            + "policy: {min_chat: 100ms}\n"
            + "workflows: {portrait: {backend: comfyui, file: workflows/portrait.json,"
            + " inputs: {prompt: 6.text, seed: 3.seed}}}\n");
  }

  private Process begin(String command, String log) throws IOException {
    return shell("exec " + command).redirectOutput(folder.resolve(log).toFile()).start();
  }

  /** It stays until its user ends it, and then chat comes back. */
  private void holds(String command) throws IOException, InterruptedException {
    Process holding = begin(command, "hold.log");
    try (AdminApi admin = admin()) {
      admin.awaitStatus(
          "the card is leased",
          status -> status.path("owner").asText().equals("comfyui") && isReady(status));
    } finally {
      holding.destroy();
    }
    assertThat(holding.waitFor(60, TimeUnit.SECONDS)).as(command + " ends").isTrue();
    awaitChat();
  }

  private static boolean isReady(JsonNode status) {
    for (JsonNode media : status.path("media")) {
      if (media.path("name").asText().equals("comfyui")) {
        return media.path("ready").asBoolean();
      }
    }
    return false;
  }

  private AdminApi admin() {
    return new AdminApi(URI.create("http://127.0.0.1:" + ports.get(5)), this::served);
  }

  private void awaitChat() throws IOException {
    try (AdminApi admin = admin()) {
      Await.until(
          () -> "chat is open; it said " + served(),
          Duration.ofSeconds(60),
          () -> admin.code("/readyz") == 200);
    }
  }

  private String served() {
    return Program.run("cat", folder.resolve("serve.log").toString());
  }

  private String type(String command) throws IOException, InterruptedException {
    Path log = Files.createTempFile(folder, "said", ".log");
    Process process = shell(command).redirectOutput(log.toFile()).start();
    boolean ended = process.waitFor(600, TimeUnit.SECONDS);
    process.destroyForcibly();
    assertThat(ended).as(command + " ends").isTrue();
    String said = Files.readString(log);
    assertThat(process.exitValue()).as("%s: %s", command, said).isZero();
    return said;
  }

  private ProcessBuilder shell(String command) {
    return machine
        .program(environment, "bash", "-c", "cd \"$0\" && " + command, home.toString())
        .redirectErrorStream(true);
  }
}
