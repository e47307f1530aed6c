package dev.swapgate.gate.core;

import static dev.swapgate.gate.core.Boxes.COMFYUI;
import static dev.swapgate.gate.core.Boxes.MUSIC;
import static dev.swapgate.gate.core.Boxes.NOON;
import static dev.swapgate.gate.core.Boxes.VLLM;
import static dev.swapgate.gate.core.Boxes.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The terms on which jobs are handed in decide when it is their turn. */
class JobTermsTest {

  private static Job job(String name, Backend.Id backend, Priority priority, long acceptedSeconds) {
    Job plain = Boxes.job(name, backend);
    return new Job(
        plain.id(),
        plain.backend(),
        plain.shape(),
        plain.state(),
        plain.attempts(),
        plain.ticket(),
        NOON.plusSeconds(acceptedSeconds),
        plain.when(),
        plain.started(),
        plain.ended(),
        plain.error(),
        plain.files(),
        JobTerms.PLAIN.withPriority(priority));
  }

  private static Story queued(Story story, Job... jobs) {
    List.of(jobs).forEach(story.s.jobs()::add);
    return story;
  }

  private static List<String> turns(Story story) {
    return story.s.jobs().queued().stream().map(job -> job.id().value()).toList();
  }

  @Nested
  class Priorities {
    @Test
    void aHigherOneGoesFirstAndTheSameInTheOrderOfAcceptance() {
      Story story =
          queued(
              Story.serving(),
              job("low", COMFYUI, Priority.LOW, 0),
              job("n1", COMFYUI, Priority.NORMAL, 1),
              job("n2", COMFYUI, Priority.NORMAL, 1),
              job("high", COMFYUI, Priority.HIGH, 2));
      assertThat(turns(story)).containsExactly("high", "n1", "n2", "low");
      assertThat(OwnerPolicy.due(story.s, story.now()).getFirst().id().value()).isEqualTo("high");
    }

    @ParameterizedTest(name = "{0} s older than a normal one: goes first {1}")
    @CsvSource({"25199, false", "25201, true"})
    void whoHasWaitedLongIsNotOvertakenForEver(long older, boolean first) {
      Story story =
          queued(
              Story.serving(),
              job("low", COMFYUI, Priority.LOW, 0),
              job("normal", COMFYUI, Priority.NORMAL, older));
      assertThat(turns(story).getFirst()).isEqualTo(first ? "low" : "normal");
    }

    private Story onComfyUi(Job... jobs) {
      return queued(Story.serving().shut().down(VLLM).up(COMFYUI).look(), jobs);
    }

    @Test
    void theBackendOnTheCardGoesFirstAmongEquals() {
      Story story =
          onComfyUi(
              job("song", MUSIC, Priority.NORMAL, 0), job("image", COMFYUI, Priority.NORMAL, 1));
      assertThat(story.owner().owner()).contains(COMFYUI);
    }

    @Test
    void aHigherPriorityTakesTheCardFromIt() {
      Story story =
          onComfyUi(
              job("image", COMFYUI, Priority.NORMAL, 0), job("song", MUSIC, Priority.HIGH, 1));
      assertThat(story.owner().owner()).contains(MUSIC);
    }

    @Test
    void butNotFromWhoHasWaitedLonger() {
      Story story =
          onComfyUi(
              job("image", COMFYUI, Priority.NORMAL, 0), job("song", MUSIC, Priority.HIGH, 3601));
      assertThat(story.owner().owner()).contains(COMFYUI);
    }
  }

  @Nested
  class Idle {
    private final Story story =
        queued(Story.serving(), Boxes.job("image", COMFYUI).on(JobTerms.PLAIN.whenIdle()));

    @ParameterizedTest(name = "nobody inside for {0} s: due {1}")
    @CsvSource({"299, false", "300, true"})
    void notBeforeNobodyHasChattedForAWhile(long seconds, boolean due) {
      story.s.inside(1, story.now());
      story.after(50).s.inside(0, story.now());
      story.after(seconds);
      assertThat(OwnerPolicy.due(story.s, story.now())).hasSize(due ? 1 : 0);
    }

    @Test
    void notWhileSomebodyIsInside() {
      story.s.inside(1, story.now());
      story.after(5_000);
      assertThat(OwnerPolicy.due(story.s, story.now())).isEmpty();
    }

    @Test
    void itsMomentIsWokenFor() {
      story.s.inside(0, story.now());
      assertThat(OwnerPolicy.nextChange(story.s, story.now()))
          .contains(story.now().steady().plusSeconds(300));
    }
  }

  /** One of comfyui's jobs takes 180 s as long as nothing is learned, and no restore is stated. */
  @Nested
  class Window {
    private Story until(Duration left) {
      Story story = Story.serving();
      Instant end = story.now().wall().plus(left);
      TimeWindow hours =
          new TimeWindow(
              NOON.minusSeconds(3600).atZone(ZoneOffset.UTC).toLocalTime(),
              end.atZone(ZoneOffset.UTC).toLocalTime(),
              ZoneOffset.UTC);
      return queued(story, Boxes.job("image", COMFYUI).on(JobTerms.PLAIN.within(hours)));
    }

    @ParameterizedTest(name = "{0} s before its hours end: due {1}")
    @CsvSource({"179, false", "180, true"})
    void theRunMustBeOverBeforeItsHoursAre(long left, boolean due) {
      Story story = until(seconds(left));
      assertThat(OwnerPolicy.due(story.s, story.now())).hasSize(due ? 1 : 0);
    }

    @ParameterizedTest(name = "{0} s before its hours end: due {1}")
    @CsvSource({"399, false", "400, true"})
    void theEngineMustBeReadyByThen(long left, boolean due) {
      Story story = until(seconds(left));
      learned(story, StepTimes.Step.RUN, COMFYUI, "shape", 60);
      learned(story, StepTimes.Step.START_TO_READY, COMFYUI, "", 40);
      learned(story, StepTimes.Step.START_TO_READY, VLLM, "", 300);
      assertThat(OwnerPolicy.due(story.s, story.now())).hasSize(due ? 1 : 0);
    }

    /** On the way the steps that are past need no time any more. */
    @ParameterizedTest(name = "{0} s before its hours end, its server ready: due {1}")
    @CsvSource({"350, false", "370, true"})
    void onlyWhatIsStillToComeCounts(long left, boolean due) {
      Story story = until(seconds(left)).shut().down(VLLM).up(COMFYUI).look().ready(COMFYUI);
      learned(story, StepTimes.Step.RUN, COMFYUI, "shape", 60);
      learned(story, StepTimes.Step.START_TO_READY, COMFYUI, "", 40);
      learned(story, StepTimes.Step.START_TO_READY, VLLM, "", 300);
      assertThat(OwnerPolicy.due(story.s, story.now())).hasSize(due ? 1 : 0);
    }

    private void learned(
        Story story, StepTimes.Step step, Backend.Id backend, String shape, long seconds) {
      story
          .s
          .times()
          .add(
              new StepTimes.Sample(
                  new StepTimes.Key(step, backend, shape), Duration.ofSeconds(seconds)));
    }

    @Test
    void itsBeginningIsWokenFor() {
      Story story = Story.serving();
      TimeWindow hours =
          new TimeWindow(
              NOON.plusSeconds(1800).atZone(ZoneOffset.UTC).toLocalTime(),
              NOON.plusSeconds(7200).atZone(ZoneOffset.UTC).toLocalTime(),
              ZoneOffset.UTC);
      queued(story, Boxes.job("image", COMFYUI).on(JobTerms.PLAIN.within(hours)));
      assertThat(OwnerPolicy.due(story.s, story.now())).isEmpty();
      assertThat(OwnerPolicy.nextChange(story.s, story.now())).contains(seconds(1800));
    }
  }

  @Test
  void theTermsOfAJobStayWithIt() {
    JobTerms terms = JobTerms.PLAIN.withPriority(Priority.HIGH).inBatch(new Job.Id("b-1"));
    Job job = Boxes.job("image", COMFYUI).on(terms);
    Job ran = job.attempted(new Job.Ticket("t"), NOON).withTicket(new Job.Ticket("u"));
    assertThat(ran.requeued(1, "why").terms()).isEqualTo(terms);
    assertThat(ran.ended(Job.State.DONE, "", List.of(), NOON).terms()).isEqualTo(terms);
    assertThat(Boxes.job("plain", COMFYUI).terms().batch()).isEqualTo(Optional.empty());
  }
}
