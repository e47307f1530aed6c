package dev.swapgate.gate.core;

import static dev.swapgate.gate.core.Boxes.COMFYUI;
import static dev.swapgate.gate.core.Boxes.NINFER;
import static dev.swapgate.gate.core.Boxes.VLLM;
import static dev.swapgate.gate.core.Boxes.media;
import static dev.swapgate.gate.core.Boxes.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When the engine for busy times serves: vllm is selected and slow, ninfer is fast. */
class BatchEngineRuleTest {
  private static final Job IMAGE = Boxes.job("image", COMFYUI);

  private static Box box(Optional<Duration> slow, Optional<Duration> fast) {
    return new Box(
        List.of(Boxes.engine(VLLM, slow), Boxes.engine(NINFER, fast)),
        List.of(media(COMFYUI, 180)),
        VLLM,
        Optional.empty(),
        Optional.of(NINFER),
        Boxes.policy(Duration.ZERO));
  }

  /** A visit of comfyui has done its last job for now, after so long a swap. */
  private static Story wayHome(Box box, long swapSeconds) {
    Story story = Story.serving(box).shut();
    story.s.swap(Optional.of(new Situation.Swap(story.now().steady(), story.now().wall())));
    story.down(VLLM).up(COMFYUI).look().ready(COMFYUI).after(swapSeconds);
    story.s.lastJobEnd(Optional.of(new Situation.JobEnd(COMFYUI, story.now().steady())));
    return story;
  }

  private static Story wayHome() {
    return wayHome(box(Optional.of(seconds(480)), Optional.of(seconds(20))), 60);
  }

  private static Backend.Id serves(Story story) {
    return OwnerPolicy.engine(story.s, story.now()).id();
  }

  @Test
  void afterASingleVisitTheSelectedEngineComesBack() {
    assertThat(serves(wayHome())).isEqualTo(VLLM);
  }

  @Test
  void whileJobsWaitForTheirTurnTheBatchEngineServes() {
    Story story = wayHome(box(Optional.of(seconds(480)), Optional.of(seconds(20))), 1300);
    story.s.jobs().add(IMAGE);
    assertThat(OwnerPolicy.due(story.s, story.now())).as("max_outage is over").isEmpty();
    assertThat(story.owner()).isEqualTo(new Ownership(Optional.of(NINFER), Ownership.Why.ENGINE));
  }

  @Test
  void aJobForTheNightDoesNotKeepTheSelectedEngineAway() {
    Story story = wayHome();
    story.s.jobs().add(Boxes.notBefore(story.now().wall().plusSeconds(9000), IMAGE));
    assertThat(serves(story)).isEqualTo(VLLM);
  }

  @ParameterizedTest(name = "the visit before ended {0} s earlier: {1}")
  @CsvSource({"599, ninfer", "601, vllm"})
  void visitsThatFollowEachOtherCloselyAreWorkThatKeepsComing(long earlier, String engine) {
    Story story = Story.serving(box(Optional.of(seconds(480)), Optional.of(seconds(20))));
    story.s.lastJobEnd(Optional.of(new Situation.JobEnd(COMFYUI, story.now().steady())));
    story.s.swapOver();
    story.after(earlier).shut();
    story.s.swap(Optional.of(new Situation.Swap(story.now().steady(), story.now().wall())));
    story.down(VLLM).up(COMFYUI).look().ready(COMFYUI);
    story.s.lastJobEnd(Optional.of(new Situation.JobEnd(COMFYUI, story.now().steady())));
    assertThat(serves(story)).isEqualTo(new Backend.Id(engine));
  }

  @ParameterizedTest(name = "{0} s after the last job: {1}")
  @CsvSource({"599, ninfer", "600, vllm"})
  void itGoesOnceItWasQuiet(long quiet, String engine) {
    Story story = wayHome();
    Duration end = story.now().steady();
    story.down(COMFYUI).up(NINFER).look().ready(NINFER).open(NINFER);
    story.s.swapOver();
    story.after(end.plusSeconds(quiet).minus(story.now().steady()));
    assertThat(serves(story)).isEqualTo(new Backend.Id(engine));
    if (quiet < 600) {
      assertThat(OwnerPolicy.nextChange(story.s, story.now())).contains(end.plusSeconds(600));
    }
  }

  @Test
  void aSelectedEngineThatIsUpStays() {
    Story story = Story.serving(box(Optional.of(seconds(480)), Optional.of(seconds(20))));
    story.s.jobs().add(IMAGE);
    assertThat(serves(story)).isEqualTo(VLLM);
  }

  @ParameterizedTest(name = "{0} s against {1} s: {2}")
  @CsvSource({
    "480, 20, ninfer",
    "20, 20, vllm",
    "20, 480, vllm",
    "0, 20, ninfer",
    "480, 0, ninfer"
  })
  void onlyWhereItLoadsFaster(long slow, long fast, String engine) {
    Story story =
        wayHome(
            box(
                Optional.of(seconds(slow)).filter(one -> slow > 0),
                Optional.of(seconds(fast)).filter(one -> fast > 0)),
            1300);
    story.s.jobs().add(IMAGE);
    assertThat(serves(story)).isEqualTo(new Backend.Id(engine));
  }

  @Test
  void oneThatFailedIsLeftAlone() {
    Story story = wayHome();
    story.s.jobs().add(IMAGE);
    assertThat(serves(story)).isEqualTo(NINFER);
    story.s.restores().failed(NINFER, "exited", true, story.now());
    assertThat(serves(story)).isEqualTo(VLLM);
  }

  @Test
  void oneThatIsSelectedServesForGood() {
    Story story = wayHome();
    story.s.select(NINFER);
    assertThat(serves(story)).isEqualTo(NINFER);
  }
}
