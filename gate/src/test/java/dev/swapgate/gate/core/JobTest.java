package dev.swapgate.gate.core;

import static dev.swapgate.gate.core.Boxes.COMFYUI;
import static dev.swapgate.gate.core.Boxes.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobTest {
  private static final Job.Ticket FIRST = new Job.Ticket("t1");
  private static final Job.Ticket SECOND = new Job.Ticket("t2");

  private final Job queued = Boxes.job("j1", COMFYUI);

  @Test
  void anAttemptIsCountedAndKnownByItsTicket() {
    Job first = queued.attempted(FIRST, NOON.plusSeconds(5));
    assertThat(first.state()).isEqualTo(Job.State.RUNNING);
    assertThat(first.attempts()).isEqualTo(1);
    assertThat(first.ticket()).contains(FIRST);
    assertThat(first.started()).contains(NOON.plusSeconds(5));
  }

  @Test
  void aSecondAttemptKeepsWhenTheJobFirstBegan() {
    Job lost = queued.attempted(FIRST, NOON.plusSeconds(5)).requeued(1, "its server died");
    assertThat(lost.state()).isEqualTo(Job.State.QUEUED);
    assertThat(lost.ticket()).isEmpty();
    assertThat(lost.error()).isEqualTo("its server died");

    Job second = lost.attempted(SECOND, NOON.plusSeconds(90));
    assertThat(second.attempts()).isEqualTo(2);
    assertThat(second.started()).contains(NOON.plusSeconds(5));
  }

  @Test
  void theServerMayKnowTheAttemptByAnotherTicket() {
    Job first = queued.attempted(FIRST, NOON);
    assertThat(first.withTicket(SECOND).ticket()).contains(SECOND);
    assertThat(first.withTicket(FIRST)).isEqualTo(first);
  }

  @ParameterizedTest
  @EnumSource(names = {"DONE", "FAILED", "CANCELLED"})
  void aFinalStateNeverChanges(Job.State end) {
    Job over = queued.ended(end, "why", List.of("a.png"), NOON.plusSeconds(9));
    assertThat(over.state()).isEqualTo(end);
    assertThat(over.ended()).contains(NOON.plusSeconds(9));
    assertThat(over.error()).isEqualTo("why");
    assertThat(over.files()).containsExactly("a.png");

    assertThatIllegalStateException()
        .isThrownBy(() -> over.ended(Job.State.FAILED, "again", List.of(), NOON))
        .withMessageContaining("job j1 cannot go from " + end + " to FAILED");
  }

  @ParameterizedTest
  @EnumSource(names = {"QUEUED", "RUNNING"})
  void aJobDoesNotEndInAStateThatIsNotFinal(Job.State state) {
    assertThatIllegalStateException().isThrownBy(() -> queued.ended(state, "", List.of(), NOON));
    assertThat(state.isFinal()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "../etc", "a b", "a/b"})
  void anIdIsSafeInAPath(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Job.Id(text))
        .withMessageContaining(text);
  }

  @Test
  void idsAreOrderedAndShownAsTheyAreWritten() {
    assertThat(new Job.Id("a")).isLessThan(new Job.Id("b")).hasToString("a");
  }

  @Test
  void valuesKeepTheirOwnCopies() {
    List<String> names = new ArrayList<>(List.of("a.png"));
    JobAnswer.Collected collected = new JobAnswer.Collected(names);
    JobRun.End end = new JobRun.End(Job.State.DONE, "", names);
    List<JobRequest.Attachment> files = new ArrayList<>();
    JobRequest request = new JobRequest("{}", Map.of("6.text", "a cat"), files);
    names.add("b.png");
    files.add(new JobRequest.Attachment("in.png", "/tmp/in.png"));

    assertThat(collected.files()).containsExactly("a.png");
    assertThat(end.files()).containsExactly("a.png");
    assertThat(request.attachments()).isEmpty();
    assertThat(request.set()).containsEntry("6.text", "a cat");
    assertThat(queued.when()).isEqualTo(Optional.empty());
  }
}
