package dev.swapgate.gate.runtime;

import static dev.swapgate.gate.runtime.ScriptedWorld.COMFYUI;
import static dev.swapgate.gate.runtime.ScriptedWorld.MUSIC;
import static dev.swapgate.gate.runtime.ScriptedWorld.VLLM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.core.Command;
import dev.swapgate.gate.core.CommandEnd;
import dev.swapgate.gate.core.Event;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobAnswer;
import dev.swapgate.gate.core.Note;
import dev.swapgate.gate.core.Phase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The stories of DESIGN 2 and 4, one at a time, on a box that behaves unless it is bent. */
class GateLoopTest {

  private final ScriptedWorld world = new ScriptedWorld();

  private void serving() {
    world.up(VLLM);
    world.boot();
    world.run(Duration.ofSeconds(5));
    world.steps.clear();
    assertThat(world.loop.view().phase()).isEqualTo(Phase.SERVING);
  }

  @Test
  void swapsInTheOrderOfTheContract() {
    serving();
    Job.Id job = world.submit(COMFYUI, "j1");
    world.run(Duration.ofSeconds(30));

    assertThat(world.steps.stream().filter(step -> !step.equals("measure")))
        .containsExactly(
            "stop vllm",
            "start comfyui",
            "begin j1",
            "submit j1",
            "collect j1",
            "save j1 DONE",
            "stop comfyui",
            "start vllm");
    assertThat(world.steps.indexOf("start comfyui") - world.steps.indexOf("stop vllm"))
        .as("three samples of the card between the stop and the start")
        .isGreaterThanOrEqualTo(4);
    assertThat(world.stored.get(job).state()).isEqualTo(Job.State.DONE);
    assertThat(world.loop.view().chatOpen()).isTrue();
    assertThat(world.turnstile.isOpen()).isTrue();
  }

  @Test
  void waitsForThoseInsideBeforeItStopsTheEngine() {
    serving();
    Turnstile.Ticket inside = world.turnstile.enter().orElseThrow();
    world.submit(COMFYUI, "j1");
    world.run(Duration.ofSeconds(60));
    assertThat(world.steps).doesNotContain("stop vllm");
    assertThat(world.turnstile.enter()).isEmpty();
    assertThat(world.loop.view().phase()).isEqualTo(Phase.DRAINING);

    inside.leave();
    world.tell(new Event.Emptied());
    world.run(Duration.ofSeconds(30));
    assertThat(world.steps).contains("stop vllm", "start comfyui");
  }

  @Test
  void cutsThoseInsideWhenTheDrainBudgetIsOver() {
    serving();
    assertThat(world.turnstile.enter()).isPresent();
    world.submit(COMFYUI, "j1");
    world.run(Duration.ofSeconds(299));
    assertThat(world.steps).doesNotContain("cut vllm");
    world.run(Duration.ofSeconds(10));
    assertThat(world.steps).containsSubsequence("cut vllm", "stop vllm");
  }

  @Test
  void restoresAnEngineThatDied() {
    serving();
    world.stopped(VLLM, 1);
    world.run(Duration.ofSeconds(20));
    assertThat(world.steps).contains("start vllm");
    assertThat(world.turnstile.isOpen()).isTrue();
  }

  @Test
  void leavesAnEngineAloneThatAHandStopped() {
    serving();
    world.tell(new Event.Hinted(java.util.Optional.of(VLLM), true));
    world.stopped(VLLM, 143);
    world.run(Duration.ofSeconds(29));
    assertThat(world.steps).doesNotContain("start vllm");
    world.run(Duration.ofSeconds(20));
    assertThat(world.steps).contains("start vllm");
  }

  @Test
  void waitsForAnEngineWhoseContainerIsGoneAndHealsWhenItIsBack() {
    serving();
    world.removed(VLLM);
    world.run(Duration.ofMinutes(5));
    assertThat(world.steps).doesNotContain("start vllm");
    assertThat(world.loop.view().phase()).isEqualTo(Phase.DEGRADED);

    world.created(VLLM);
    world.run(Duration.ofMinutes(6));
    assertThat(world.steps).contains("start vllm");
    assertThat(world.turnstile.isOpen()).isTrue();
  }

  @Test
  void givesChatBackWhenTheMediaServerExitsAtOnce() {
    world.exitsAtOnce.add(COMFYUI);
    serving();
    Job.Id job = world.submit(COMFYUI, "j1");
    world.run(Duration.ofSeconds(30));
    assertThat(world.steps.stream().filter(step -> !step.equals("measure")))
        .containsExactly("stop vllm", "start comfyui", "log comfyui", "start vllm");
    assertThat(world.stored.get(job).state()).isEqualTo(Job.State.QUEUED);
    assertThat(world.turnstile.isOpen()).isTrue();
  }

  @Test
  void neverStopsTwiceAndKillsTenSecondsAfterTheGracePeriod() {
    serving();
    world.ends.put(Note.Verb.STOP, new CommandEnd.Unknown("no answer"));
    world.ineffective.add(Note.Verb.STOP);
    world.submit(COMFYUI, "j1");
    world.run(Duration.ofSeconds(19));
    assertThat(world.steps).containsExactly("stop vllm");
    world.run(Duration.ofSeconds(3));
    assertThat(world.steps.stream().filter(step -> !step.equals("measure")).toList())
        .startsWith("stop vllm", "kill vllm", "start comfyui");
  }

  @Test
  void adoptsARenderThatWentOnWhileItWasAway() {
    world.follow = new JobAnswer.Working(0.5);
    serving();
    Job.Id job = world.submit(COMFYUI, "j1");
    world.run(Duration.ofSeconds(30));
    assertThat(world.loop.view().phase()).isEqualTo(Phase.RUNNING);

    world.turnstile.shut();
    world.boot();
    world.run(Duration.ofSeconds(30));
    world.follow = new JobAnswer.Finished();
    world.run(Duration.ofSeconds(30));
    assertThat(world.steps.stream().filter("submit j1"::equals)).hasSize(1);
    assertThat(world.stored.get(job).state()).isEqualTo(Job.State.DONE);
    assertThat(world.turnstile.isOpen()).isTrue();
  }

  @Test
  void tellsGenerationMinusElapsedWhileNothingIsLearned() {
    world.follow = new JobAnswer.Working(0.5);
    serving();
    world.submit(COMFYUI, "j1");
    world.run(Duration.ofSeconds(60));
    int told = world.loop.view().outlook().retryAfterSeconds(world.now());
    assertThat(told).isBetween(119, 121);
    world.run(Duration.ofSeconds(10));
    assertThat(world.loop.view().outlook().retryAfterSeconds(world.now())).isEqualTo(told - 10);
  }

  @Test
  void tellsTheNextVisitWhileTheFirstServerIsStopped() {
    serving();
    world.submit(COMFYUI, "j1");
    world.submit(MUSIC, "j2");
    world.follow = new JobAnswer.Working(0.5);
    world.run(Duration.ofSeconds(10));
    world.ineffective.add(Note.Verb.STOP);
    world.follow = new JobAnswer.Finished();
    world.run(Duration.ofSeconds(10));
    assertThat(world.loop.view().phase()).isEqualTo(Phase.STOPPING_MEDIA);
    assertThat(world.loop.view().outlook().left(world.now()))
        .isGreaterThan(Duration.ofSeconds(230));
  }

  @Test
  void sendsNoCommandWhileDockerCannotBeAsked() {
    serving();
    world.blind = true;
    world.run(Duration.ofSeconds(20));
    world.submit(COMFYUI, "j1");
    world.run(Duration.ofSeconds(20));
    assertThat(world.steps.stream().filter(step -> !step.equals("measure"))).isEmpty();
    world.blind = false;
    world.run(Duration.ofSeconds(40));
    assertThat(world.stored.values()).extracting(Job::state).isEqualTo(List.of(Job.State.DONE));
  }

  @Test
  void doesNotLetChatWaitForADiskThatTakesNoFinalState() {
    serving();
    world.unwritable = true;
    Job.Id job = world.submit(COMFYUI, "j1");
    world.run(Duration.ofSeconds(40));
    assertThat(world.steps).containsSubsequence("collect j1", "stop comfyui", "start vllm");
    assertThat(world.turnstile.isOpen()).isTrue();
    assertThat(world.stored.get(job).state()).isEqualTo(Job.State.RUNNING);

    world.unwritable = false;
    world.run(Duration.ofSeconds(60));
    assertThat(world.stored.get(job).state()).isEqualTo(Job.State.DONE);
  }

  /** The job went on while the disk was full, and was done before it could be cancelled. */
  @Test
  void whoCancelsIsToldWhatIsOnDisk() {
    serving();
    world.follow = new JobAnswer.Working(Double.NaN);
    Job.Id job = world.submit(COMFYUI, "j1");
    world.run(Duration.ofSeconds(30));
    world.unwritable = true;
    world.tell(new Event.Wish.Cancel(7, job));
    world.run(Duration.ofMillis(500));
    world.follow = new JobAnswer.Finished();
    world.run(Duration.ofSeconds(1));
    assertThat(world.steps).contains("collect j1");
    world.unwritable = false;
    world.run(Duration.ofSeconds(30));

    boolean done = world.stored.get(job).state() == Job.State.DONE;
    assertThat(world.stored.get(job).state()).isIn(Job.State.DONE, Job.State.CANCELLED);
    assertThat(world.replies.get(7L))
        .isInstanceOf(done ? Command.Answer.Refused.class : Command.Answer.Changed.class);
    assertThat(world.steps.stream().filter(step -> step.startsWith("save j1"))).hasSize(1);
  }

  @Test
  void aJobDoesNotBeginWhileItsCancellationWaitsForTheDisk() {
    ScriptedWorld patient = new ScriptedWorld(Duration.ofMinutes(5));
    patient.up(VLLM);
    patient.boot();
    patient.run(Duration.ofSeconds(5));
    Job.Id job = patient.submit(COMFYUI, "j1");
    patient.run(Duration.ofSeconds(1));
    patient.unwritable = true;
    patient.tell(new Event.Wish.Cancel(7, job));
    patient.run(Duration.ofMinutes(10));
    assertThat(patient.steps).doesNotContain("stop vllm", "begin j1");
    assertThat(patient.replies).doesNotContainKey(7L);

    patient.unwritable = false;
    patient.run(Duration.ofSeconds(30));
    assertThat(patient.stored.get(job).state()).isEqualTo(Job.State.CANCELLED);
    assertThat(patient.replies.get(7L)).isInstanceOf(Command.Answer.Changed.class);
  }

  /** swapgate dies again and again between an attempt's write and its submission. */
  @ParameterizedTest(name = "{0}, {1} deaths")
  @CsvSource({"never came, 5, DONE", "never came, 7, FAILED", "not known, 2, FAILED"})
  void anAttemptThatNeverCameToItsServerDoesNotCountFiveTimes(
      String answer, int deaths, Job.State end) {
    serving();
    world.follow =
        answer.equals("not known") ? new JobAnswer.NotKnown() : new JobAnswer.NeverCame();
    world.silent = true;
    Job.Id job = world.submit(COMFYUI, "j1");
    for (int death = 0; death < deaths; death++) {
      world.run(Duration.ofSeconds(40));
      assertThat(world.stored.get(job).state()).isEqualTo(Job.State.RUNNING);
      world.boot();
    }
    world.silent = false;
    for (int i = 0; i < 1_000 && !world.steps.contains("submit j1"); i++) {
      world.run(Duration.ofMillis(50));
    }
    world.follow = new JobAnswer.Finished();
    world.run(Duration.ofMinutes(2));
    assertThat(world.stored.get(job).state()).isEqualTo(end);
    assertThat(world.stored.get(job).attempts()).isEqualTo(end == Job.State.DONE ? 1 : 2);
  }

  /** It comes while the job's return to the queue is being written (seed 370603). */
  @Test
  void aCancellationIsWrittenAfterAnOlderWriteThatIsUnderWay() {
    serving();
    world.follow = new JobAnswer.Working(Double.NaN);
    Job.Id job = world.submit(COMFYUI, "j1");
    world.run(Duration.ofSeconds(30));
    world.slowDisk = true;
    world.stopped(COMFYUI, 137);
    world.run(Duration.ofSeconds(3));
    assertThat(world.steps).contains("save j1 QUEUED");
    world.tell(new Event.Wish.Cancel(7, job));
    world.run(Duration.ofSeconds(1));
    assertThat(world.replies).doesNotContainKey(7L);

    world.slowDisk = false;
    world.run(Duration.ofSeconds(3));
    assertThat(world.replies.get(7L)).isInstanceOf(Command.Answer.Changed.class);
    assertThat(world.stored.get(job).state()).isEqualTo(Job.State.CANCELLED);
  }

  /** swapgate dies between a cancellation on disk and the server's letting go of the job. */
  @Test
  void aServerStillAtWorkOnACancelledJobIsStoppedBeforeTheNextJob() {
    serving();
    world.follow = new JobAnswer.Working(Double.NaN);
    Job.Id job = world.submit(COMFYUI, "j1");
    world.run(Duration.ofSeconds(30));
    world.submit(COMFYUI, "j2");
    world.tell(new Event.Wish.Cancel(7, job));
    world.run(Duration.ofSeconds(2));
    assertThat(world.stored.get(job).state()).isEqualTo(Job.State.CANCELLED);
    assertThat(world.steps).doesNotContain("stop comfyui");

    world.boot();
    world.run(Duration.ofMinutes(2));
    assertThat(world.steps).containsSubsequence("cancel j1", "stop comfyui", "start comfyui");
    assertThat(world.steps).containsSubsequence("stop comfyui", "begin j2");
  }

  /** The run that had the cancelled job was stopped once: the next one is as good as any. */
  @Test
  void aRenderAfterACancelledJobOutlivesSwapgate() {
    serving();
    world.follow = new JobAnswer.Working(Double.NaN);
    Job.Id cancelled = world.submit(COMFYUI, "j1");
    world.run(Duration.ofSeconds(30));
    Job.Id job = world.submit(COMFYUI, "j2");
    world.tell(new Event.Wish.Cancel(7, cancelled));
    world.run(Duration.ofSeconds(2));
    world.boot();
    world.run(Duration.ofMinutes(2));
    assertThat(world.steps).containsSubsequence("stop comfyui", "submit j2");

    world.boot();
    world.run(Duration.ofSeconds(10));
    world.follow = new JobAnswer.Finished();
    world.run(Duration.ofSeconds(30));
    assertThat(world.steps).containsSubsequence("submit j2", "collect j2", "stop comfyui");
    assertThat(world.stored.get(job).state()).isEqualTo(Job.State.DONE);
    assertThat(world.stored.get(job).attempts()).isEqualTo(1);
  }
}
