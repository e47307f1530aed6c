package dev.swapgate.gate.runtime;

import static dev.swapgate.gate.runtime.ScriptedWorld.COMFYUI;
import static dev.swapgate.gate.runtime.ScriptedWorld.MUSIC;
import static dev.swapgate.gate.runtime.ScriptedWorld.VLLM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.core.Command.Answer;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobTerms;
import dev.swapgate.gate.core.Priority;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A long queue for two media backends, and what it costs. */
class LongQueueTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final ScriptedWorld world = new ScriptedWorld(MINUTE);

  @BeforeEach
  void serving() {
    world.up(VLLM);
    world.boot();
    world.run(MINUTE.multipliedBy(2));
    world.steps.clear();
  }

  /** By turns for the one and the other, as they come in. */
  private List<Job> mixed(int count) {
    List<Job> jobs = new ArrayList<>();
    for (int n = 0; n < count; n++) {
      jobs.add(world.job(n % 2 == 0 ? COMFYUI : MUSIC, "j" + n));
    }
    return jobs;
  }

  private int times(String step) {
    return Collections.frequency(world.steps, step);
  }

  private void allAreDone(int count) {
    assertThat(world.stored.values().stream().filter(job -> job.state() == Job.State.DONE).count())
        .isEqualTo(count);
    assertThat(world.loop.view().chatOpen()).isTrue();
  }

  @Test
  void thirtyMixedJobsThatFitIntoOneOutageCostOneSwapWithTwoVisits() {
    world.submit(mixed(30));
    world.run(MINUTE.multipliedBy(20));

    allAreDone(30);
    assertThat(times("start " + COMFYUI)).isOne();
    assertThat(times("start " + MUSIC)).isOne();
    assertThat(times("stop " + VLLM)).isOne();
    assertThat(times("start " + VLLM)).isOne();
  }

  /** 30 jobs of 2 min are an hour; 20 min of outage hold ten of them, so three swaps are needed. */
  @Test
  void aLongerQueueCostsTheSwapsThatMaxOutageAsksFor() {
    world.runs = MINUTE.multipliedBy(2);
    world.submit(mixed(30));
    world.run(MINUTE.multipliedBy(90));

    allAreDone(30);
    assertThat(times("start " + VLLM)).as("swaps").isEqualTo(3);
    assertThat(times("start " + COMFYUI) + times("start " + MUSIC))
        .as("visits: one for each swap, and one change of the backend")
        .isEqualTo(4);
  }

  @Test
  void whoIsInAHurryBeginsFirstAndTheOthersInTheirOrder() {
    world.submit(
        List.of(
            world.job(COMFYUI, "low").on(JobTerms.PLAIN.withPriority(Priority.LOW)),
            world.job(COMFYUI, "first"),
            world.job(COMFYUI, "second"),
            world.job(COMFYUI, "high").on(JobTerms.PLAIN.withPriority(Priority.HIGH))));
    world.run(MINUTE.multipliedBy(5));

    assertThat(world.steps.stream().filter(step -> step.startsWith("begin")))
        .containsExactly("begin high", "begin first", "begin second", "begin low");
  }

  @Test
  void aBatchThatIsLargerThanTheRoomLeftIsRefusedAsAWhole() {
    world.submit(mixed(31));
    world.run(MINUTE);

    assertThat(world.replies.get(1L))
        .isEqualTo(
            new Answer.Refused(
                Answer.Kind.FULL,
                "none of the 31 jobs was accepted: the queue takes 30 more, its limit is 30"
                    + " (limits.queue)"));
    assertThat(world.stored).isEmpty();
  }
}
