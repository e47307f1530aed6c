package dev.swapgate.gate.core;

import static dev.swapgate.gate.core.Boxes.COMFYUI;
import static dev.swapgate.gate.core.Boxes.MUSIC;
import static dev.swapgate.gate.core.Boxes.NOON;
import static dev.swapgate.gate.core.Boxes.at;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobQueueTest {
  private final Job first = Boxes.job("j1", COMFYUI);
  private final Job second = Boxes.job("j2", MUSIC);

  @Test
  void keepsTheOrderOfAcceptance() {
    JobQueue queue = new JobQueue(List.of(first), at(0));
    queue.add(second);
    assertThat(queue.queued()).containsExactly(first, second);
    assertThat(queue.size()).isEqualTo(2);
    assertThat(queue.run()).isEmpty();
  }

  @Test
  void aJobThatIsRunningDoesNotWait() {
    JobQueue queue = new JobQueue(List.of(first, second), at(0));
    queue.run(Optional.of(JobRun.begin(first, at(1))));
    assertThat(queue.queued()).containsExactly(second);
    queue.run(Optional.empty());
    assertThat(queue.queued()).containsExactly(first, second);
  }

  @Test
  void anAttemptOfAnEarlierProcessIsFollowedNotBegunAnew() {
    Job running = Boxes.attempted(second);
    JobQueue queue = new JobQueue(List.of(first, running), at(7));

    JobRun run = queue.run().orElseThrow();
    assertThat(run.job()).isEqualTo(running);
    assertThat(run.stage()).isEqualTo(JobRun.Stage.FOLLOWING);
    assertThat(queue.queued()).containsExactly(first);
  }

  @Test
  void aFinalJobLeavesTheQueue() {
    JobQueue queue = new JobQueue(List.of(first, second), at(0));
    queue.put(first.ended(Job.State.DONE, "", List.of(), NOON));
    assertThat(queue.job(first.id())).isEmpty();
    assertThat(queue.queued()).containsExactly(second);
  }

  @Test
  void aChangedJobKeepsItsPlace() {
    JobQueue queue = new JobQueue(List.of(first, second), at(0));
    Job changed = first.requeued(1, "its server died");
    queue.put(changed);
    assertThat(queue.queued()).containsExactly(changed, second);
    assertThat(queue.job(first.id())).contains(changed);
  }

  @Test
  void whatIsOverDoesNotComeBack() {
    JobQueue queue = new JobQueue(List.of(second), at(0));
    queue.put(first);
    assertThat(queue.queued()).containsExactly(second);
  }

  @Test
  void aJobAcceptedTwiceIsKeptAsItWas() {
    JobQueue queue = new JobQueue(List.of(first), at(0));
    queue.add(first.requeued(1, "other"));
    assertThat(queue.queued()).containsExactly(first);
  }
}
