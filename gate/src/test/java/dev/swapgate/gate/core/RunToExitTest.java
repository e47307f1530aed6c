package dev.swapgate.gate.core;

import static dev.swapgate.gate.core.Boxes.MUSIC;
import static dev.swapgate.gate.core.Boxes.VLLM;
import static dev.swapgate.gate.core.Boxes.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A container that is itself the job: started once for each, when its request lies ready. */
class RunToExitTest {
  private static final CommandEnd DONE = new CommandEnd.Done();
  private static final CommandEnd FAILED = new CommandEnd.Failed("no such image");
  private static final long FREE = 32_000;

  private static Box box() {
    Media server = Boxes.media(MUSIC, 240);
    Media exits =
        new Media(
            MUSIC,
            server.container(),
            server.budgets(),
            server.generation(),
            server.jobBudget(),
            server.noProgress(),
            server.tries(),
            true);
    Box box = Boxes.box();
    return new Box(
        box.engines(),
        List.of(exits),
        box.selected(),
        Optional.empty(),
        Optional.empty(),
        box.policy());
  }

  /** All is down, and a job is due. */
  private static Story due() {
    Story story = new Story(box()).look().after(1);
    story.s.jobs().add(Boxes.job("j1", MUSIC));
    return story;
  }

  /** Its request lies ready, as was heard after the last command to the container. */
  private static Story waiting(Story story) {
    Job job = Boxes.attempted(Boxes.job("j1", MUSIC));
    JobRun run = JobRun.recovered(job, story.now()).asked(story.after(1).now());
    return heard(story, run, new JobAnswer.Waiting());
  }

  private static Story heard(Story story, JobRun run, JobAnswer answer) {
    Media media = story.box.media(MUSIC).orElseThrow();
    JobRules.Verdict verdict = JobRules.answered(run, answer, media, story.after(1).now());
    story.s.jobs().run(Optional.of(((JobRules.Verdict.GoesOn) verdict).run()));
    return story.look();
  }

  private static Story working(Story story) {
    return heard(story, story.s.jobs().run().orElseThrow(), new JobAnswer.Working(Double.NaN));
  }

  @Test
  void aJobIsBegunBeforeTheContainerStarts() {
    assertThat(due().step()).isEqualTo(new Step.Work(MUSIC));
  }

  @Test
  void theContainerStartsOnceTheRequestLiesReadyAndTheCardIsFree() {
    Story story = waiting(due());
    assertThat(story.step()).isEqualTo(new Step.Measure(MUSIC));
    assertThat(story.phase()).isEqualTo(Phase.FREEING);
    assertThat(story.measure(FREE).look().step()).isEqualTo(new Step.Start(MUSIC, true));
  }

  @Test
  void isNotStartedAgainForTheSameJob() {
    Story story = waiting(due()).measure(FREE).sent(Note.Verb.START, MUSIC, DONE).after(1);
    assertThat(story.look().step()).isEqualTo(new Step.Work(MUSIC));
  }

  @Test
  void runsUnprobedUntilItEnds() {
    Story story = waiting(due()).measure(FREE).sent(Note.Verb.START, MUSIC, DONE).up(MUSIC);
    story = working(story.after(10));
    assertThat(story.step()).isEqualTo(new Step.Work(MUSIC));
    assertThat(story.phase()).isEqualTo(Phase.RUNNING);
    assertThat(story.exits(MUSIC, 0).look().step()).isEqualTo(new Step.Work(MUSIC));
    assertThat(story.phase()).isEqualTo(Phase.RUNNING);
  }

  @Test
  void aStartThatDockerRefusesIsTheBackendsFault() {
    Story story = waiting(due()).measure(FREE).sent(Note.Verb.START, MUSIC, FAILED);
    story = heard(story, asked(story), new JobAnswer.Waiting());
    assertThat(story.step())
        .isEqualTo(new Step.FailVisit(MUSIC, "Docker would not start music: no such image"));
  }

  private static JobRun asked(Story story) {
    return story.s.jobs().run().orElseThrow().asked(story.after(1).now());
  }

  @Test
  void isStoppedWhenItRunsForNoJobOfOurs() {
    Story story = due().sent(Note.Verb.START, MUSIC, DONE).after(1).up(MUSIC).look();
    assertThat(story.step()).isEqualTo(new Step.Stop(MUSIC, "it runs for no job"));
  }

  @Test
  void isLeftAloneWhenItWasStartedByHand() {
    Story story = due().lease(Optional.of(MUSIC), 3600).up(MUSIC).look();
    assertThat(story.step()).isEqualTo(new Step.Rest());
  }

  @Test
  void isStoppedWhenItsJobIsToEnd() {
    Story story = waiting(due()).measure(FREE).sent(Note.Verb.START, MUSIC, DONE).up(MUSIC);
    story = working(story.after(10));
    story.s.condemned().put(MUSIC, story.run(MUSIC));
    assertThat(story.step()).isEqualTo(new Step.Stop(MUSIC, "it has failed"));
  }

  @Test
  void theEngineGoesFirst() {
    Story story = new Story(box()).up(VLLM).look().ready(VLLM).open(VLLM).after(120).look();
    story.s.jobs().add(Boxes.job("j1", MUSIC));
    story.shut();
    assertThat(story.step()).isInstanceOf(Step.Stop.class);
  }

  /** Its memory may not be back, though it was never seen running. */
  @Test
  void aRunBetweenTwoLooksCountsAsOne() {
    Story story = due().look();
    assertThat(story.s.sightings().downSince(MUSIC)).isPresent();
    story.after(10).is(MUSIC, Boxes.exited(MUSIC, Boxes.NOON.plusSeconds(3), 0)).look();
    assertThat(story.s.sightings().downSince(MUSIC).orElseThrow()).isGreaterThan(seconds(10));
  }
}
