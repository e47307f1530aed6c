package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The archive that {@code scripts/package} makes, as somebody would install and update it. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class ReleaseIT {

  @TempDir static Path packed;
  private static Path archive;

  @TempDir Path folder;

  @BeforeAll
  static void pack() throws Exception {
    archive = Release.pack(Files.createDirectory(packed.resolve("first")));
  }

  @Test
  void isTheSameBytesEachTime() throws Exception {
    Path again = Release.pack(Files.createDirectory(packed.resolve("second")));

    assertThat(again).hasSameBinaryContentAs(archive);
    assertThat(again.getFileName()).isEqualTo(archive.getFileName());
  }

  @Test
  void holdsAllThatIsNeeded() throws Exception {
    Release release = Release.unpack(archive, folder.resolve("opt"));

    assertThat(release.run("--version")).startsWith("swapgate 0.");
    assertThat(release.run("init", "--help")).contains("overwrites nothing");
    assertThat(release.top().resolve("LICENSE")).isNotEmptyFile();
    assertThat(release.top().resolve("compose/swapgate.schema.json"))
        .hasContent(release.run("config", "--schema"));
    Path completion = release.top().resolve("share/swapgate-completion.bash");
    assertThat(
            Program.run(
                "bash",
                "-c",
                "source \"$1\"; compopt() { :; }; COMP_WORDS=(swapgate reh) COMP_CWORD=1;"
                    + " _complete_swapgate; echo \"${COMPREPLY[@]}\"",
                "bash",
                completion.toString()))
        .isEqualTo("rehearse");
  }

  @Test
  void startsAsWellFromACacheAndWithOneThatIsStale() throws Exception {
    Release release = Release.unpack(archive, folder.resolve("opt"));
    String plain = release.run("clients");

    Program.run(release.top().resolve("scripts/start-cache").toString());

    assertThat(Files.list(release.top().resolve("lib")).map(file -> file.getFileName().toString()))
        .hasSize(3)
        .allMatch(name -> name.matches("swapgate\\.jar(\\.(ask|serve)-\\d+\\.(aot|jsa))?"));
    assertThat(release.run("clients")).isEqualTo(plain);
    Release.unpack(archive, release.top());
    assertThat(release.run("clients")).as("the jar is another file now").isEqualTo(plain);
  }

  @Test
  void theUnitIsOneThatSystemdAccepts() throws Exception {
    assumeTrue(Program.isOk("systemd-analyze", "--version"), "no systemd on this machine");
    Release release = Release.unpack(archive, folder.resolve("opt"));
    Path unit = release.top().resolve("compose/swapgate.service");
    String text = Files.readString(unit);

    assertThat(text).contains("RestartPreventExitStatus=78", "After=docker.service");
    Path here = folder.resolve("swapgate.service");
    Files.writeString(
        here, text.replace("/opt/swapgate/scripts/swapgate", "" + release.launcher()));
    assertThat(Program.run("systemd-analyze", "verify", here.toString()))
        .as("what it has to say of our unit")
        .doesNotContain("swapgate.service");
  }

  /** The render goes on meanwhile, and the new one delivers it. */
  @Test
  void anUpdateInTheMiddleOfASwapLosesNothing() throws Exception {
    Release release = Release.unpack(archive, folder.resolve("opt"));
    Path log = folder.resolve("serve.log");
    try (FakeBox box = new FakeBox(folder, Map.of("SIM_STEP_TIME", "200ms"));
        AdminApi admin = new AdminApi(box.admin())) {
      Path config = box.config();
      Process process = release.serve(config, box.admin(), log);
      try {
        admin.awaitChat(Place.VLLM);
        String job = admin.submit(Place.COMFYUI, "workflow", SwapIT.workflow());
        Await.until(
            () -> "it renders; it is " + admin.job(job),
            AdminApi.PATIENCE,
            () -> admin.job(job).path("progress").asDouble() > 0);

        process.destroyForcibly().waitFor();
        Release.unpack(archive, release.top());
        process = release.serve(config, box.admin(), log);

        assertThat(admin.awaitEnd(job).path("state").asText()).isEqualTo("done");
        assertThat(admin.job(job).path("attempts").asInt()).isEqualTo(1);
        admin.awaitChat(Place.VLLM);
        assertThat(box.journal().overlaps()).isEmpty();
      } finally {
        process.destroyForcibly().waitFor();
      }
    }
  }
}
