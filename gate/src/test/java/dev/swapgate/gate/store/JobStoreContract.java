package dev.swapgate.gate.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.core.JobTerms;
import dev.swapgate.gate.core.NewJob;
import dev.swapgate.gate.core.Priority;
import dev.swapgate.gate.core.StepTimes;
import dev.swapgate.gate.core.TimeWindow;
import dev.swapgate.gate.port.JobStore;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every store promises: the twin that simulations use must not promise more or less. */
abstract class JobStoreContract {
  static final Instant NOON = Instant.parse("2026-11-30T12:00:00.123456789Z");
  static final Backend.Id COMFYUI = new Backend.Id("comfyui");
  static final JobRequest REQUEST =
      new JobRequest(
          "{\"6\":{\"text\":\"a 'cat'; -- été \u0000 🐈\"}}",
          Map.of("6.text", "a=b\nc", "3.seed", ""),
          List.of(
              new JobRequest.Attachment("z.png", "/state/in/1"),
              new JobRequest.Attachment("a.png", "/state/in/2")));

  /** Too large to find room in pages that the file has already. */
  static final JobRequest LARGE = new JobRequest("x".repeat(200_000), Map.of(), List.of());

  JobStore store;

  /** A store with nothing in it. */
  abstract JobStore create();

  /** The same store as the next process finds it after a power cut. */
  abstract JobStore restarted();

  /** From now on the disk takes nothing. */
  abstract void fillDisk();

  abstract void freeDisk();

  @BeforeEach
  void begin() {
    store = create();
  }

  @AfterEach
  void end() {
    store.close();
  }

  static Job queued(String id) {
    return new Job(
        new Job.Id(id),
        COMFYUI,
        "txt2img",
        Job.State.QUEUED,
        0,
        Optional.empty(),
        NOON,
        Optional.of(NOON.plusSeconds(60)),
        Optional.empty(),
        Optional.empty(),
        "",
        List.of());
  }

  private Job accept(String id) {
    return store.insert(queued(id), REQUEST, "");
  }

  private static Job ran(Job job) {
    return job.attempted(new Job.Ticket("prompt-1"), NOON.plusSeconds(5));
  }

  private static Job done(Job job) {
    return ran(job).ended(Job.State.DONE, "", List.of("b.png", "a.png"), NOON.plusSeconds(9));
  }

  @Test
  void givesBackAJobAndItsRequestAsTheyWere() {
    Job accepted = accept("one");

    assertThat(accepted).isEqualTo(queued("one"));
    store = restarted();
    assertThat(store.job(accepted.id())).contains(accepted);
    assertThat(store.request(accepted.id())).contains(REQUEST);
    assertThat(store.request(new Job.Id("other"))).isEmpty();
    assertThat(store.job(new Job.Id("other"))).isEmpty();
  }

  @Test
  void keepsTheTermsOfAJobAcrossARestart() {
    JobTerms terms =
        new JobTerms(
            Priority.HIGH,
            true,
            TimeWindow.parse("01:00-06:30 Europe/Berlin", ZoneOffset.UTC),
            Optional.of(new Job.Id("b-1")));
    Job job = store.insert(queued("one").on(terms), REQUEST, "");

    store = restarted();
    assertThat(store.job(job.id()).map(Job::terms)).contains(terms);
    assertThat(store.batch(new Job.Id("b-1"))).containsExactly(job);
    assertThat(store.batch(new Job.Id("b-2"))).isEmpty();
  }

  private static List<NewJob> batch(String... ids) {
    return Stream.of(ids)
        .map(id -> queued(id).on(JobTerms.PLAIN.inBatch(new Job.Id("b-1"))))
        .map(job -> new NewJob(job, REQUEST))
        .toList();
  }

  @Test
  void acceptsABatchAsAWholeAndFindsItByItsKey() {
    List<Job> accepted = store.insertAll(batch("one", "two", "three"), "key");

    assertThat(accepted).extracting(job -> job.id().value()).containsExactly("one", "two", "three");
    assertThat(store.insertAll(batch("four", "five"), "key")).isEqualTo(accepted);
    store = restarted();
    assertThat(store.open()).isEqualTo(accepted);
    assertThat(store.batch(new Job.Id("b-1"))).isEqualTo(accepted);
  }

  @Test
  void acceptsNoneOfABatchThatCannotBeAcceptedAsAWhole() {
    accept("two");

    assertThatThrownBy(() -> store.insertAll(batch("one", "two"), ""))
        .isInstanceOf(IllegalArgumentException.class);

    assertThat(store.open()).extracting(job -> job.id().value()).containsExactly("two");
  }

  @Test
  void keepsEveryFieldOfAnUpdateAcrossARestart() {
    Job done = done(accept("one"));

    store.update(done);

    store = restarted();
    assertThat(store.job(done.id())).contains(done);
    assertThat(store.request(done.id())).contains(REQUEST);
  }

  @Test
  void listsOpenJobsInTheOrderOfTheirAcceptance() {
    Job first = accept("zz");
    Job second = accept("aa");
    Job third = accept("mm");
    store.update(done(second));
    store.update(ran(first));

    assertThat(store.open()).containsExactly(ran(first), third);
  }

  @Test
  void listsJobsByStateNewestFirst() {
    Job first = accept("zz");
    Job second = accept("aa");
    Job third = accept("mm");
    store.update(done(second));

    List<Job.State> all = List.of(Job.State.values());
    assertThat(store.jobs(all, 10)).containsExactly(third, done(second), first);
    assertThat(store.jobs(all, 2)).containsExactly(third, done(second));
    assertThat(store.jobs(List.of(Job.State.DONE), 10)).containsExactly(done(second));
    assertThat(store.jobs(List.of(), 10)).isEmpty();
  }

  @Test
  void listsTheOpenJobsOfOneBackendNewestFirst() {
    Job first = accept("zz");
    Job second = accept("aa");
    Job third = accept("mm");
    store.update(done(second));

    assertThat(store.open(COMFYUI, 10)).containsExactly(third, first);
    assertThat(store.open(COMFYUI, 1)).containsExactly(third);
    assertThat(store.open(new Backend.Id("acestep"), 10)).isEmpty();
  }

  @Test
  void acceptsAKeyOnce() {
    Job first = store.insert(queued("one"), REQUEST, "key");
    Job again = store.insert(queued("two"), REQUEST, "key");

    assertThat(again).isEqualTo(first);
    assertThat(store.open()).containsExactly(first);
    assertThat(store.byKey("key")).contains(first);
    assertThat(store.byKey("other")).isEmpty();
  }

  @Test
  void takesNoKeyForAKeyOfItsOwn() {
    Job first = accept("one");
    Job second = accept("two");

    assertThat(store.open()).containsExactly(first, second);
    assertThat(store.byKey("")).isEmpty();
  }

  @Test
  void refusesAnIdThatWasAcceptedBefore() {
    Job first = accept("one");

    assertThatThrownBy(() -> store.insert(queued("one"), REQUEST, "other"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("one");
    assertThat(store.open()).containsExactly(first);
  }

  @Test
  void neverOverwritesAFinalState() {
    Job job = accept("one");
    Job cancelled = job.ended(Job.State.CANCELLED, "by hand", List.of(), NOON);
    store.update(cancelled);

    store.update(done(job));
    store.update(ran(job));

    store = restarted();
    assertThat(store.job(job.id())).contains(cancelled);
    assertThat(store.open()).isEmpty();
  }

  @Test
  void tellsOfAJobItDoesNotHave() {
    assertThatThrownBy(() -> store.update(queued("ghost")))
        .isInstanceOf(JobStore.StoreException.class)
        .hasMessageContaining("ghost");
    assertThat(store.open()).isEmpty();
  }

  @Test
  void keepsTheLastSamplesOfEachStep() {
    StepTimes.Key run = new StepTimes.Key(StepTimes.Step.RUN, COMFYUI, "txt2img");
    StepTimes.Key stop = new StepTimes.Key(StepTimes.Step.STOP, COMFYUI, "");
    store.addStepTime(new StepTimes.Sample(stop, Duration.ofNanos(1)), NOON);
    for (int i = 0; i < StepTimes.KEPT + 5; i++) {
      store.addStepTime(new StepTimes.Sample(run, Duration.ofSeconds(i)), NOON);
    }

    store = restarted();
    assertThat(store.stepTimes())
        .startsWith(new StepTimes.Sample(stop, Duration.ofNanos(1)))
        .filteredOn(sample -> sample.key().equals(run))
        .extracting(sample -> sample.took().toSeconds())
        .containsExactlyElementsOf(
            IntStream.range(5, StepTimes.KEPT + 5).mapToObj(Long::valueOf).toList());
  }

  @Test
  void remembersAndForgetsSettings() {
    store.put("selected", "vllm");
    store.put("selected", "ninfer");
    store.put("maintenance", "on");
    store.put("maintenance", "");
    store.put("never", "");

    store = restarted();
    assertThat(store.settings()).isEqualTo(Map.of("selected", "ninfer"));
  }

  @Test
  void givesHistoryNewestFirst() {
    store.addHistory(NOON, "swap", "vllm", "", "{}");
    store.addHistory(NOON.plusNanos(1), "job", "comfyui", "one", "{\"state\":\"done\"}");

    store = restarted();
    JobStore.HistoryLine newest =
        new JobStore.HistoryLine(
            NOON.plusNanos(1), "job", "comfyui", "one", "{\"state\":\"done\"}");
    JobStore.HistoryLine oldest = new JobStore.HistoryLine(NOON, "swap", "vllm", "", "{}");
    assertThat(store.history(10)).containsExactly(newest, oldest);
    assertThat(store.history(1)).containsExactly(newest);
  }

  @Test
  void givesSwapsNewestFirstAndForgetsTheOld() {
    store.addSwap(NOON, NOON.plusSeconds(1), "{\"n\":1}");
    store.addSwap(NOON.plusSeconds(2), NOON.plusSeconds(3), "{\"n\":2}");

    store = restarted();
    assertThat(store.swaps(10)).containsExactly("{\"n\":2}", "{\"n\":1}");
    assertThat(store.swaps(1)).containsExactly("{\"n\":2}");
    store.forgetBefore(NOON.plusSeconds(2));
    assertThat(store.swaps(10)).containsExactly("{\"n\":2}");
  }

  @Test
  void forgetsWhatEndedBefore() {
    Job old = store.insert(queued("old"), REQUEST, "key");
    Job fresh = accept("fresh");
    Job open = accept("open");
    store.update(old.ended(Job.State.FAILED, "why", List.of("x"), NOON));
    store.update(fresh.ended(Job.State.DONE, "", List.of("y"), NOON.plusNanos(1)));
    store.addHistory(NOON, "old", "", "", "{}");
    store.addHistory(NOON.plusNanos(1), "fresh", "", "", "{}");

    List<Job.Id> forgotten = store.forgetBefore(NOON.plusNanos(1));

    store = restarted();
    assertThat(forgotten).containsExactly(old.id());
    assertThat(store.job(old.id())).isEmpty();
    assertThat(store.request(old.id())).isEmpty();
    assertThat(store.byKey("key")).isEmpty();
    assertThat(store.job(fresh.id())).isPresent();
    assertThat(store.request(fresh.id())).contains(REQUEST);
    assertThat(store.open()).containsExactly(open);
    assertThat(store.history(10)).extracting(JobStore.HistoryLine::what).containsExactly("fresh");
  }

  @Test
  void leavesNothingBehindOnAFullDiskAndGoesOnWhenThereIsRoom() {
    Job before = accept("before");
    fillDisk();

    assertThatThrownBy(() -> store.insert(queued("refused"), LARGE, "key"))
        .isInstanceOf(JobStore.StoreException.class)
        .hasMessageContaining("refused")
        .hasMessageContaining("full");
    assertThat(store.open()).containsExactly(before);
    assertThat(store.byKey("key")).isEmpty();

    freeDisk();
    Job after = store.insert(queued("refused"), LARGE, "key");
    store = restarted();
    assertThat(store.open()).containsExactly(before, after);
  }

  @Test
  void answersNothingOnceClosed() {
    store.close();
    store.close();

    assertThatThrownBy(() -> store.open())
        .isInstanceOf(JobStore.StoreException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(() -> store.put("a", "b"))
        .isInstanceOf(JobStore.StoreException.class)
        .hasMessageContaining("closed");
  }
}
