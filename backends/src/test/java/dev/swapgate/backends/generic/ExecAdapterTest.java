package dev.swapgate.backends.generic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.swapgate.backends.recipe.Inputs;
import dev.swapgate.backends.recipe.RunToExit;
import dev.swapgate.backends.recipe.TextTemplate;
import dev.swapgate.backends.settings.BackendSettings;
import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.backends.settings.ReadinessSettings;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.CommandEnd;
import dev.swapgate.gate.core.ContainerSighting;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobAnswer;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.port.BackendException;
import dev.swapgate.gate.port.Containers;
import dev.swapgate.gate.port.Inside;
import dev.swapgate.gate.port.JobAdapter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A container that is itself the job, and the folder it shares with us. */
class ExecAdapterTest {
  private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");
  private static final JobRequest SONG = request("{\"genre\":\"folk\",\"lyrics\":\"la\\nla\"}");

  @TempDir private Path folder;
  private Path work;
  private final Daemon daemon = new Daemon();
  private ExecAdapter adapter;
  private Job.Ticket ticket;

  @BeforeEach
  void hasAFolder() throws Exception {
    work = Files.createDirectory(folder.resolve("work"));
    adapter = adapter(1 << 20);
    ticket = adapter.newTicket(new Job.Id("j1"), 1);
  }

  private ExecAdapter adapter(long maxFile) {
    RunToExit recipe =
        new RunToExit(
            new Inputs(Set.of("genre"), Map.of("segments", "2", "lyrics", "\"\"")),
            Map.of(
                "genre.txt", TextTemplate.parse("{genre}"),
                "lyrics.txt", TextTemplate.parse("{lyrics}"),
                "settings", TextTemplate.parse("n={segments}\n")),
            "out",
            List.of());
    MediaSettings.Type.Exits type = new MediaSettings.Type.Exits(recipe, work);
    ReadinessSettings never =
        new ReadinessSettings("/", Set.of(200), "", Map.of(), Duration.ofSeconds(1));
    BackendSettings backend =
        new BackendSettings(new Backend.Id("yue"), "yue-box", BackendSettings.NOWHERE, never);
    return new ExecAdapter(new MediaSettings(backend, type, "", maxFile), type, daemon);
  }

  private static JobRequest request(String json) {
    return new JobRequest(json, Map.of(), List.of());
  }

  private JobAnswer submitted(JobRequest request) {
    return adapter.submit(request, ticket);
  }

  @Test
  void aJobLiesReadyBeforeItsContainerStarts() throws Exception {
    Files.createDirectory(work.resolve("out"));
    Files.writeString(work.resolve("out/old.mp3"), "of another job");

    assertThat(adapter.follow(ticket)).isEqualTo(new JobAnswer.NeverCame());
    assertThat(submitted(SONG)).isEqualTo(new JobAnswer.Accepted(ticket, ""));
    assertThat(adapter.follow(ticket)).isEqualTo(new JobAnswer.Waiting());

    assertThat(work.resolve("genre.txt")).hasContent("folk");
    assertThat(Files.readString(work.resolve("lyrics.txt"))).isEqualTo("la\nla");
    assertThat(Files.readString(work.resolve("settings"))).isEqualTo("n=2\n");
    assertThat(work.resolve("request.json")).content().contains("\"segments\" : 2");
    assertThat(work.resolve("out")).isEmptyDirectory();
  }

  @Test
  void itsExitIsTheEndOfTheJobAndWhatItLeftIsSaved() throws Exception {
    submitted(SONG);
    daemon.starts(1);
    assertThat(adapter.follow(ticket)).isEqualTo(new JobAnswer.Working(Double.NaN));

    Files.createDirectories(work.resolve("out/deep"));
    Files.writeString(work.resolve("out/deep/song.mp3"), "la");
    Files.writeString(work.resolve("out/song.mp3"), "la la");
    Files.createSymbolicLink(work.resolve("out/link"), Path.of("/etc/passwd"));
    daemon.exits(0);
    assertThat(adapter.follow(ticket)).isEqualTo(new JobAnswer.Finished());
    Path results = folder.resolve("results");
    assertThat(adapter.collect(ticket, results))
        .isEqualTo(new JobAnswer.Collected(List.of("song.mp3", "song-2.mp3")));
    assertThat(results.resolve("song.mp3")).hasContent("la");
    assertThat(Files.readAllLines(results.resolve(JobAdapter.CHECKSUMS)))
        .containsExactly(
            "b737ca7ee563ae80e457bb3d1dfe64edd2b4c015a8f88b6f87d5c113b68897fd  song.mp3",
            "9a9e0a33c99f975bdce3ec7c95c0b702bfef280b48ec4a3f1194e6b9d041efcd  song-2.mp3");
  }

  @Test
  void isFollowedByAnotherSwapgateAsWell() {
    submitted(SONG);
    daemon.starts(1);
    assertThat(adapter(1).follow(ticket)).isEqualTo(new JobAnswer.Working(Double.NaN));
    daemon.exits(0);
    assertThat(adapter(1).follow(ticket)).isEqualTo(new JobAnswer.Finished());
  }

  @Test
  void aRunBeforeTheJobIsNotTheJobs() {
    daemon.starts(1);
    daemon.exits(0);
    submitted(SONG);
    assertThat(adapter.follow(ticket)).isEqualTo(new JobAnswer.Waiting());
    daemon.starts(2);
    daemon.exits(0);
    assertThat(adapter.follow(ticket)).isEqualTo(new JobAnswer.Finished());
  }

  @Test
  void aContainerMadeAnewHasNotRun() {
    daemon.starts(1);
    daemon.exits(0);
    submitted(SONG);
    daemon.isMadeAnew();
    assertThat(adapter.follow(ticket)).isEqualTo(new JobAnswer.Waiting());
  }

  @Test
  void anErrorIsToldWithItsLastWords() {
    daemon.lines = List.of("Traceback", "ValueError: no such genre");
    submitted(SONG);
    daemon.starts(1);
    daemon.exits(3);
    assertThat(adapter.follow(ticket))
        .isEqualTo(
            new JobAnswer.Errored(
                "yue-box ended with exit code 3: Traceback | ValueError: no such genre"));
  }

  @ParameterizedTest
  @ValueSource(ints = {130, 137, 143})
  void anEndByASignalIsNoWordAboutTheJob(int code) {
    submitted(SONG);
    daemon.starts(1);
    daemon.exits(code);
    assertThat(adapter.follow(ticket)).isEqualTo(new JobAnswer.NotKnown());
  }

  @Test
  void wantOfHostMemoryIsTheJobsError() {
    submitted(SONG);
    daemon.starts(1);
    daemon.oom = true;
    daemon.exits(137);
    assertThat(adapter.follow(ticket))
        .isEqualTo(new JobAnswer.Errored("yue-box was killed for want of host memory"));
  }

  @Test
  void nothingLeftIsNoResult() {
    submitted(SONG);
    daemon.starts(1);
    daemon.exits(0);
    assertThat(adapter.collect(ticket, folder.resolve("results")))
        .isEqualTo(
            new JobAnswer.Uncollectable(
                "its container ended well and left no file in " + work.resolve("out")));
  }

  @Test
  void whatIsCancelledBeforeItsStartIsNeverRun() {
    submitted(SONG);
    assertThat(adapter.cancel(ticket)).isEqualTo(new JobAnswer.Interrupted());
    assertThat(adapter.follow(ticket)).isEqualTo(new JobAnswer.NeverCame());
  }

  @Test
  void whatRunsEndsWithItsContainer() {
    submitted(SONG);
    daemon.starts(1);
    assertThat(adapter.cancel(ticket)).isEqualTo(new JobAnswer.Working(Double.NaN));
    daemon.exits(143);
    assertThat(adapter.cancel(ticket)).isEqualTo(new JobAnswer.Interrupted());
  }

  @Test
  void nothingIsLaidDownWhileTheContainerRuns() {
    daemon.starts(1);
    assertThat(submitted(SONG))
        .isEqualTo(new JobAnswer.Unanswered("yue-box still runs for something else"));
    assertThat(work).isEmptyDirectory();
  }

  @Test
  void aSilentDaemonIsAskedAgain() {
    submitted(SONG);
    daemon.silent = true;
    assertThat(adapter.follow(ticket)).isEqualTo(new JobAnswer.Unanswered("Docker: refused"));
  }

  @Test
  void linksThatAJobLeftAreNotFollowedWhenTheNextIsLaidDown() throws Exception {
    Path precious = Files.createDirectory(folder.resolve("precious"));
    Files.writeString(precious.resolve("a"), "a");
    Files.createSymbolicLink(work.resolve("out"), precious);
    Files.createSymbolicLink(work.resolve("genre.txt"), precious.resolve("a"));

    assertThat(submitted(SONG)).isInstanceOf(JobAnswer.Accepted.class);
    assertThat(precious.resolve("a")).hasContent("a");
    assertThat(work.resolve("out")).isEmptyDirectory().isDirectory();
  }

  @Test
  void filesThatGoAlongLieBesideTheRequest() throws Exception {
    Path upload = Files.writeString(folder.resolve("upload"), "a voice");
    JobRequest.Attachment voice = new JobRequest.Attachment("voice.wav", upload.toString());
    submitted(new JobRequest("{\"genre\":\"folk\"}", Map.of(), List.of(voice)));
    assertThat(work.resolve("in/voice.wav")).hasContent("a voice");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                          | this backend needs 'genre'; give it in the request
          {"genre":"a","tempo":3}     | this backend has no use for 'tempo'; it takes: genre, lyrics
          """)
  void whatItCannotUseIsRefusedBeforeItIsAccepted(String json, String reason) {
    assertThat(adapter.refusal(request(json))).get().asString().startsWith(reason);
    assertThat(adapter.refusal(SONG)).isEmpty();
  }

  @Test
  void aFolderThatIsNotThereIsToldBeforeAJobIsAccepted() throws Exception {
    Files.delete(work);
    assertThat(adapter.refusal(SONG)).get().asString().contains(work + " is no folder here");
    assertThat(submitted(SONG))
        .asInstanceOf(type(JobAnswer.Errored.class))
        .extracting(JobAnswer.Errored::reason)
        .asString()
        .startsWith("its request could not be laid down: ");
  }

  /** One container, as the daemon tells of it. */
  private static final class Daemon implements Containers {
    private String id = "c1";
    private Optional<Instant> startedAt = Optional.empty();
    private OptionalInt code = OptionalInt.empty();
    private boolean running;
    private boolean oom;
    private boolean silent;
    private List<String> lines = List.of();

    void starts(int minute) {
      startedAt = Optional.of(NOON.plusSeconds(minute * 60L));
      running = true;
    }

    void exits(int with) {
      running = false;
      code = OptionalInt.of(with);
    }

    void isMadeAnew() {
      id = "c2";
      startedAt = Optional.empty();
      code = OptionalInt.empty();
    }

    @Override
    public ContainerSighting look(String container) {
      if (silent) {
        throw new BackendException("refused");
      }
      return new ContainerSighting(
          running ? ContainerSighting.State.RUNNING : ContainerSighting.State.DOWN,
          id,
          startedAt,
          running ? OptionalInt.empty() : code,
          ContainerSighting.DEFAULT_STOP_TIMEOUT,
          false,
          oom,
          false);
    }

    @Override
    public Inside inside() {
      throw new UnsupportedOperationException("no commands are run inside these containers");
    }

    @Override
    public List<String> lastLogLines(String container, int count) {
      return lines;
    }

    @Override
    public CommandEnd start(String container, Duration deadline) {
      throw new AssertionError("the gate starts containers");
    }

    @Override
    public CommandEnd stop(String container, Duration grace, Duration deadline) {
      throw new AssertionError("the gate stops containers");
    }

    @Override
    public CommandEnd kill(String container, Duration deadline) {
      throw new AssertionError("the gate kills containers");
    }

    @Override
    public AutoCloseable watch(Consumer<Hint> hint) {
      throw new AssertionError("the gate watches");
    }

    @Override
    public void close() {}
  }
}
