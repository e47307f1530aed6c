package dev.swapgate.backends.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobAnswer;
import dev.swapgate.gate.port.JobAdapter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How ComfyUI's results reach our disk, by kind of output and of trouble. */
class ComfyUiCollectTest {
  private static final Job.Ticket TICKET = new Job.Ticket("comfyui/ours/client/p1");

  private static final String ONE_IMAGE =
      """
      {"1": {"images": [{"filename": "a.png", "subfolder": "", "type": "output"}]}}
      """;

  @TempDir private Path results;
  private Path folder;
  private final ScriptedServer server = new ScriptedServer();
  private ComfyUiAdapter adapter;

  @BeforeEach
  void prepare() {
    folder = results.resolve("j1");
    adapter = new ComfyUiAdapter(server.settings(MediaSettings.Type.COMFYUI, 1000));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private JobAnswer collected(String outputs) {
    server.on(
        "GET /history/p1",
        200,
        "{\"p1\": {\"outputs\": " + outputs + ", \"status\": {\"status_str\": \"success\"}}}");
    return adapter.collect(TICKET, folder);
  }

  private void viewGives(String text) {
    server.on("GET /view", 200, "image/png", text.getBytes(StandardCharsets.UTF_8));
  }

  private List<String> onDisk() throws IOException {
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.equals(JobAdapter.CHECKSUMS))
          .sorted()
          .toList();
    }
  }

  private List<String> queries() {
    return server.asked("GET /view").stream().map(ScriptedServer.Asked::query).toList();
  }

  @Test
  void savesEveryKindOfFile() throws IOException {
    viewGives("bytes");

    JobAnswer answer =
        collected(
            """
            {"9": {"images": [{"filename": "a.png", "subfolder": "", "type": "output"}]},
             "10": {"images": [{"filename": "v.webm", "subfolder": "video", "type": "output"}],
                    "animated": [true]},
             "11": {"gifs": [{"filename": "g.gif", "subfolder": "", "type": "output"}]},
             "12": {"audio": [{"filename": "s.flac", "subfolder": "audio", "type": "output"}]},
             "13": {"latents": [{"filename": "l.latent", "subfolder": "", "type": "output"}]}}
            """);

    assertThat(answer)
        .isEqualTo(
            new JobAnswer.Collected(List.of("a.png", "v.webm", "g.gif", "s.flac", "l.latent")));
    assertThat(onDisk()).containsExactly("a.png", "g.gif", "l.latent", "s.flac", "v.webm");
    assertThat(folder.resolve("a.png")).hasContent("bytes");
    assertThat(queries()).contains("filename=v.webm&subfolder=video&type=output");
  }

  @Test
  void savesTextsAndMeshesThatAreMereStrings() throws IOException {
    viewGives("mesh");

    JobAnswer answer =
        collected(
            """
            {"7": {"text": ["a caption", "another"]},
             "8": {"result": ["3d/mesh_0001.glb", {"camera": 1}, null]}}
            """);

    assertThat(answer)
        .isEqualTo(new JobAnswer.Collected(List.of("text-7.txt", "text-7-2.txt", "mesh_0001.glb")));
    assertThat(folder.resolve("text-7.txt")).hasContent("a caption");
    assertThat(queries()).containsExactly("filename=mesh_0001.glb&subfolder=3d&type=output");
  }

  @Test
  void leavesPreviewsOutWhenThereIsAnythingElse() {
    viewGives("bytes");

    assertThat(
            collected(
                """
                {"1": {"images": [{"filename": "p.png", "subfolder": "", "type": "temp"}]},
                 "9": {"images": [{"filename": "a.png", "subfolder": "", "type": "output"}]}}
                """))
        .isEqualTo(new JobAnswer.Collected(List.of("a.png")));
  }

  @Test
  void savesPreviewsWhenThereIsNothingElse() {
    viewGives("bytes");

    assertThat(collected(ONE_IMAGE.replace("output", "temp")))
        .isEqualTo(new JobAnswer.Collected(List.of("a.png")));
  }

  @Test
  void numbersFilesOfTheSameNameAndFetchesTheSameFileOnce() {
    viewGives("bytes");

    assertThat(
            collected(
                """
                {"1": {"images": [{"filename": "a.png", "subfolder": "x", "type": "output"}]},
                 "2": {"images": [{"filename": "a.png", "subfolder": "y", "type": "output"}]},
                 "3": {"images": [{"filename": "a.png", "subfolder": "y", "type": "output"}]}}
                """))
        .isEqualTo(new JobAnswer.Collected(List.of("a.png", "a-2.png")));
    assertThat(queries()).hasSize(2);
  }

  @Test
  void writesNothingOutsideTheFolderWhateverTheServerNamesIt() throws IOException {
    viewGives("bytes");

    assertThat(
            collected(
                """
                {"1": {"images": [
                 {"filename": "../../etc/passwd", "subfolder": "", "type": "output"},
                 {"filename": "C:\\\\x\\\\evil.png", "subfolder": "", "type": "output"}]}}
                """))
        .isEqualTo(new JobAnswer.Collected(List.of("passwd", "evil.png")));
    assertThat(onDisk()).containsExactly("evil.png", "passwd");
    assertThat(results.toFile().list()).containsExactly("j1");
  }

  @Test
  void encodesNamesThatWouldChangeTheQuestion() {
    viewGives("bytes");

    collected(
        """
        {"1": {"images": [
         {"filename": "a b&type=input.png", "subfolder": "é", "type": "output"}]}}
        """);

    assertThat(queries())
        .containsExactly("filename=a%20b%26type%3Dinput.png&subfolder=%C3%A9&type=output");
  }

  @Test
  void replacesWhatAnEarlierCallSaved() throws IOException {
    viewGives("bytes");
    collected(ONE_IMAGE);
    Files.writeString(folder.resolve(".swapgate-0.part"), "left by a crash");

    assertThat(collected(ONE_IMAGE)).isEqualTo(new JobAnswer.Collected(List.of("a.png")));
    assertThat(onDisk()).containsExactly("a.png");
  }

  @Test
  void publishesNothingWhenADownloadBreaksOff() throws IOException {
    viewGives("whole");
    server.thenBreakingOff("GET /view", "half".getBytes(StandardCharsets.UTF_8));

    JobAnswer answer =
        collected(
            """
            {"1": {"images": [{"filename": "a.png", "subfolder": "", "type": "output"},
                              {"filename": "b.png", "subfolder": "", "type": "output"}]}}
            """);

    assertThat(answer).isInstanceOf(JobAnswer.Unanswered.class);
    assertThat(onDisk()).isEmpty();
  }

  @Test
  void isUncollectableWhenAFileIsTooLarge() throws IOException {
    viewGives("x".repeat(1001));

    JobAnswer answer = collected(ONE_IMAGE);

    assertThat(answer)
        .isEqualTo(
            new JobAnswer.Uncollectable(
                "a.png is larger than 1000 bytes, the most that is saved of one"));
    assertThat(onDisk()).isEmpty();
  }

  @Test
  void isUncollectableWhenTheServerNoLongerHasTheFile() {
    server.on("GET /view", 404, "");

    assertThat(collected(ONE_IMAGE))
        .isEqualTo(
            new JobAnswer.Uncollectable(
                "the server does not give out its result 'a.png' (status 404)"));
  }

  @Test
  void isUncollectableAfterARestartOfTheServer() {
    server.on("GET /history/p1", 200, "{}");

    assertThat(adapter.collect(TICKET, folder)).isInstanceOf(JobAnswer.Uncollectable.class);
  }

  @Test
  void isUncollectableWhenTheJobFailedThoughItHasOutputs() throws IOException {
    server.on(
        "GET /history/p1",
        200,
        """
        {"p1": {"outputs": {"1": {"images": [{"filename": "a.png", "type": "output"}]}},
                "status": {"status_str": "error", "messages": []}}}
        """);

    assertThat(adapter.collect(TICKET, folder)).isInstanceOf(JobAnswer.Uncollectable.class);
    assertThat(onDisk()).isEmpty();
  }

  @Test
  void isUnansweredWhenTheServerFailsAtAFile() {
    server.on("GET /view", 503, "");

    assertThat(collected(ONE_IMAGE)).isInstanceOf(JobAnswer.Unanswered.class);
  }

  @Test
  void isUnwritableWhenOurFolderCannotBe() throws IOException {
    folder = Files.writeString(results.resolve("file"), "in the way").resolve("j1");

    assertThat(collected("{\"7\": {\"text\": [\"a caption\"]}}"))
        .isInstanceOf(JobAnswer.Unwritable.class);
  }

  @Test
  void isUnwritableWhenTheFolderIsALink() throws IOException {
    Path elsewhere = Files.createDirectory(results.resolve("elsewhere"));
    Files.createSymbolicLink(folder, elsewhere);

    assertThat(collected("{\"7\": {\"text\": [\"a caption\"]}}"))
        .isInstanceOf(JobAnswer.Unwritable.class);
    assertThat(elsewhere).isEmptyDirectory();
  }

  @Test
  void collectsNothingFromAJobThatGaveNothing() {
    assertThat(collected("{}")).isEqualTo(new JobAnswer.Collected(List.of()));
  }
}
