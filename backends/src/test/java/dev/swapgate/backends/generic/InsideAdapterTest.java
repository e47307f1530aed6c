package dev.swapgate.backends.generic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.backends.docker.DockerContainers;
import dev.swapgate.backends.recipe.Inputs;
import dev.swapgate.backends.recipe.RunToExit;
import dev.swapgate.backends.recipe.TextTemplate;
import dev.swapgate.backends.settings.BackendSettings;
import dev.swapgate.backends.settings.DockerSettings;
import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.backends.settings.ReadinessSettings;
import dev.swapgate.backends.sim.DockerFaults;
import dev.swapgate.backends.sim.FakeDockerApi;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.CommandEnd;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobAnswer;
import dev.swapgate.gate.core.JobRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands that do jobs inside a container which stays up, by the real driver. */
@Timeout(60)
class InsideAdapterTest {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  @TempDir private Path folder;
  private Path work;
  private FakeDockerApi api;
  private DockerContainers docker;
  private InsideAdapter adapter;

  @BeforeEach
  void containerIsUp() throws Exception {
    work = Files.createDirectory(folder.resolve("work"));
    api = new FakeDockerApi(folder.resolve("docker.sock"), Map.of());
    docker = new DockerContainers(new DockerSettings(api.address()));
    api.create("yue", List.of("sh", "-c", "sleep 1000"), Map.of());
    assertThat(docker.start("yue", LIMIT)).isEqualTo(new CommandEnd.Done());
    adapter = adapter();
  }

  @AfterEach
  void takesAllDown() {
    docker.close();
    api.close();
  }

  private InsideAdapter adapter() {
    RunToExit recipe =
        new RunToExit(
            new Inputs(Set.of("genre"), Map.of("code", "0")),
            Map.of(),
            "out",
            Stream.of(
                    "sh",
                    "-c",
                    "cd \"$0\" && echo begun >> log && printf %s \"$1\" > out/song.txt && eval \"$2\"",
                    work.toString(),
                    "{genre}",
                    "{code}")
                .map(TextTemplate::parse)
                .toList());
    MediaSettings.Type.Exits type = new MediaSettings.Type.Exits(recipe, work);
    ReadinessSettings none =
        new ReadinessSettings("/", Set.of(200), "", Map.of(), Duration.ofSeconds(1));
    BackendSettings backend =
        new BackendSettings(new Backend.Id("yue"), "yue", BackendSettings.NOWHERE, none);
    return new InsideAdapter(new MediaSettings(backend, type, "", 1 << 20), type, docker);
  }

  private static JobRequest song(String genre, String code) {
    return new JobRequest(
        "{\"genre\":\"%s\",\"code\":\"%s\"}".formatted(genre, code), Map.of(), List.of());
  }

  private Job.Ticket ticket() {
    return adapter.newTicket(new Job.Id("j1"), 1);
  }

  private static JobAnswer end(InsideAdapter adapter, Job.Ticket ticket) {
    JobAnswer answer = adapter.follow(ticket);
    while (answer instanceof JobAnswer.Working) {
      answer = adapter.follow(ticket);
    }
    return answer;
  }

  private void restarted() {
    assertThat(docker.stop("yue", Duration.ofSeconds(1), LIMIT)).isEqualTo(new CommandEnd.Done());
    assertThat(docker.start("yue", LIMIT)).isEqualTo(new CommandEnd.Done());
  }

  @Test
  void valuesBecomeWordsAndTheExitIsTheEnd() {
    Job.Ticket ticket = ticket();
    assertThat(adapter.refusal(song("folk", "exit 0"))).isEmpty();
    assertThat(adapter.follow(ticket)).isEqualTo(new JobAnswer.NeverCame());

    assertThat(adapter.submit(song("folk; rm -rf $HOME", "exit 0"), ticket))
        .isEqualTo(new JobAnswer.Accepted(ticket, ""));

    assertThat(end(adapter, ticket)).isEqualTo(new JobAnswer.Finished());
    assertThat(adapter.collect(ticket, folder.resolve("results")))
        .isEqualTo(new JobAnswer.Collected(List.of("song.txt")));
    assertThat(folder.resolve("results/song.txt")).hasContent("folk; rm -rf $HOME");
  }

  @Test
  void anExitCodeIsTheJobsFaultAndASignalIsNot() {
    Job.Ticket ticket = ticket();
    adapter.submit(song("folk", "exit 3"), ticket);
    assertThat(end(adapter, ticket))
        .isInstanceOfSatisfying(
            JobAnswer.Errored.class,
            errored -> assertThat(errored.reason()).contains("exit code 3"));

    Job.Ticket killed = ticket();
    adapter.submit(song("folk", "kill -9 $$"), killed);
    assertThat(end(adapter, killed)).isEqualTo(new JobAnswer.NotKnown());
  }

  @Test
  void anotherSwapgateFindsItAndBeginsNothingTwice() throws Exception {
    Job.Ticket ticket = ticket();
    adapter.submit(song("folk", "while [ ! -e go ]; do sleep 0.1; done"), ticket);
    InsideAdapter other = adapter();
    assertThat(other.follow(ticket)).isEqualTo(new JobAnswer.Working(Double.NaN));
    assertThat(other.submit(song("jazz", "exit 0"), ticket()))
        .isInstanceOf(JobAnswer.Unanswered.class);

    Files.createFile(work.resolve("go"));
    assertThat(end(other, ticket)).isEqualTo(new JobAnswer.Finished());
    assertThat(Files.readAllLines(work.resolve("log"))).containsExactly("begun");
  }

  @Test
  void oneThatWasNotBegunIsBegunByWhoeverFollows() throws Exception {
    Job.Ticket ticket = ticket();
    api.faults().next("exec", "", DockerFaults.Kind.LOST_REQUEST);
    assertThat(adapter.submit(song("folk", "exit 0"), ticket))
        .isInstanceOf(JobAnswer.Unanswered.class);
    assertThat(work.resolve("log")).doesNotExist();

    assertThat(end(adapter(), ticket)).isEqualTo(new JobAnswer.Finished());
    assertThat(Files.readAllLines(work.resolve("log"))).containsExactly("begun");
  }

  @Test
  void itDiesWithItsContainerAndIsLost() {
    Job.Ticket ticket = ticket();
    adapter.submit(song("folk", "sleep 1000"), ticket);
    assertThat(adapter.cancel(ticket))
        .as("it ends with its container")
        .isEqualTo(new JobAnswer.Working(Double.NaN));

    restarted();

    assertThat(adapter.follow(ticket)).isEqualTo(new JobAnswer.NotKnown());
    assertThat(adapter.cancel(ticket)).isEqualTo(new JobAnswer.Interrupted());
    Job.Ticket again = ticket();
    adapter.submit(song("folk", "exit 0"), again);
    assertThat(end(adapter, again)).isEqualTo(new JobAnswer.Finished());
  }

  @Test
  void nothingIsRunInAContainerThatIsDown() {
    docker.stop("yue", Duration.ofSeconds(1), LIMIT);

    assertThat(adapter.submit(song("folk", "exit 0"), ticket()))
        .isInstanceOf(JobAnswer.Unanswered.class);
  }
}
