package dev.swapgate.gate.runtime;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Command;
import dev.swapgate.gate.core.ContainerSighting.Run;
import dev.swapgate.gate.core.GateEvent.Level;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobAnswer;
import dev.swapgate.gate.core.JobRules;
import dev.swapgate.gate.core.JobRules.Verdict;
import dev.swapgate.gate.core.JobRun;
import dev.swapgate.gate.core.JobRun.Stage;
import dev.swapgate.gate.core.Media;
import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.core.OwnerPolicy;
import dev.swapgate.gate.core.Sightings;
import dev.swapgate.gate.core.Situation;
import dev.swapgate.gate.core.Spared;
import dev.swapgate.gate.core.StepTimes;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Moves the one attempt that is under way from written to over, and writes what must be written.
 * Not thread-safe; belongs to the loop.
 */
final class JobDesk {

  private static final String RUN = "job";

  /** How long each question may take; a collection moves large files. */
  private static final Map<Command.Question, Duration> LIMITS =
      Map.of(
          Command.Question.SUBMIT, Duration.ofMinutes(2),
          Command.Question.FOLLOW, Duration.ofSeconds(30),
          Command.Question.CANCEL, Duration.ofSeconds(30),
          Command.Question.COLLECT, Duration.ofMinutes(10));

  private final Situation s;
  private final Asks asks;
  private final Outbox outbox;
  private final JobWrites writes;
  private final Map<Job.Id, Long> cancelling = new HashMap<>();

  /** The job whose attempt an earlier process began, until that attempt is over. */
  private Optional<Job.Id> inherited;

  JobDesk(Situation s, Asks asks, Outbox outbox) {
    this.s = s;
    this.inherited = s.jobs().run().map(run -> run.job().id());
    this.asks = asks;
    this.outbox = outbox;
    this.writes = new JobWrites(s, asks, outbox);
  }

  /** Begins the next due job of that backend; false when there is none. */
  boolean beginNext(Backend.Id media, Now now) {
    if (s.jobs().run().isPresent()) {
      return false;
    }
    Optional<Job> next =
        OwnerPolicy.due(s, now).stream().filter(job -> job.backend().equals(media)).findFirst();
    next.ifPresent(
        job -> {
          // The attempt's own write says it all; an older one must not follow.
          writes.forget(job.id());
          s.jobs().run(Optional.of(JobRun.begin(job, now)));
        });
    return next.isPresent();
  }

  /** Lets time and sightings move the attempt on, and asks what is to be asked. */
  void advance(Now now) {
    s.jobs().run().ifPresent(run -> serverSeen(run, now));
    s.jobs().run().ifPresent(run -> judge(JobRules.waited(run, media(run), now), now));
    s.jobs().run().ifPresent(run -> ask(run, now));
    writes.advance(now);
  }

  private void serverSeen(JobRun run, Now now) {
    Backend.Id id = run.job().backend();
    if (!run.isOnServer() || s.sightings().isBlind() || s.sightings().look(id).isEmpty()) {
      return;
    }
    if (media(run).runsToExit()) {
      exitAwaited(run, now);
      return;
    }
    Optional<Run> running = s.sightings().running(id).map(Sightings.Running::run);
    if (s.sightings().isDown(id)) {
      judge(JobRules.serverGone(run, "its server went down", now), now);
    } else if (run.run().isPresent() && running.isPresent() && !running.equals(run.run())) {
      judge(JobRules.serverGone(run, "its server was started anew", now), now);
    } else if (run.run().isEmpty() && running.isPresent()) {
      s.jobs().run(Optional.of(run.on(running)));
    }
  }

  /** Its end is the job's end, of which its adapter tells; a cancelled one is stopped for it. */
  private void exitAwaited(JobRun run, Now now) {
    Backend.Id id = run.job().backend();
    if (run.stage() != Stage.CANCELLING) {
      return;
    }
    if (!s.sightings().isDown(id)) {
      condemn(id, "its job is to end", now);
    } else if (s.attempts().underWay().isEmpty() && !s.attempts().isUnsettled(id)) {
      judge(JobRules.serverGone(run, "its container ended", now), now);
    }
  }

  private void ask(JobRun run, Now now) {
    if (asks.isOut(RUN) || (isToldByDocker(run) && s.sightings().isBlind())) {
      return;
    }
    Duration at = JobRules.nextAsk(run);
    if (now.steady().compareTo(at) < 0) {
      outbox.wakeAt(at);
      return;
    }
    Job job = run.job();
    switch (run.stage()) {
      case BEGINNING ->
          outbox.add(new Command.Begin(asks.ask(RUN, JobRules.BEGIN_LIMIT, now), job));
      case SUBMITTING -> ask(Command.Question.SUBMIT, job, now);
      case FOLLOWING -> ask(Command.Question.FOLLOW, job, now);
      case CANCELLING -> ask(Command.Question.CANCEL, job, now);
      case COLLECTING -> ask(Command.Question.COLLECT, job, now);
      case ENDING -> {
        if (job.state().isFinal()) {
          judge(new Verdict.Over(run, true), now);
          return;
        }
        Job ended = ended(run, now);
        outbox.add(new Command.Save(asks.ask(RUN, JobRules.BEGIN_LIMIT, now), ended));
      }
    }
    s.jobs().run(s.jobs().run().map(one -> one.asked(now)));
  }

  /** Only Docker can tell how it stands. */
  private boolean isToldByDocker(JobRun run) {
    return run.isOnServer() && media(run).runsToExit();
  }

  private void ask(Command.Question question, Job job, Now now) {
    Duration limit = LIMITS.getOrDefault(question, Duration.ofSeconds(30));
    outbox.add(new Command.Ask(asks.ask(RUN, limit, now), question, job));
  }

  private static Job ended(JobRun run, Now now) {
    JobRun.End end = run.end().orElseThrow();
    return run.job().ended(end.state(), end.reason(), end.files(), now.wall());
  }

  /** The attempt is on disk. */
  void begun(long ask, Job written, Now now) {
    Optional<JobRun> run = current(ask, written.id());
    if (run.isEmpty() || run.get().stage() != Stage.BEGINNING) {
      return;
    }
    Optional<Run> server = s.sightings().running(written.backend()).map(Sightings.Running::run);
    s.jobs().put(written);
    s.jobs().run(Optional.of(JobRules.begun(run.get(), written, server, now)));
    outbox.tell(
        Level.INFO, "job " + written.id() + " begins, attempt " + written.attempts(), written, now);
  }

  void answered(long ask, Job.Id id, JobAnswer answer, Now now) {
    Optional<JobRun> found = current(ask, id);
    if (found.isEmpty()) {
      return;
    }
    JobRun run = found.get();
    if (answer instanceof JobAnswer.Accepted accepted) {
      accepted(run, accepted, now);
    }
    Verdict verdict = JobRules.answered(run, answer, media(run), now);
    if (verdict instanceof Verdict.GoesOn next) {
      learn(run, next.run(), now);
    }
    judge(verdict, now);
  }

  private void accepted(JobRun run, JobAnswer.Accepted accepted, Now now) {
    if (!accepted.warning().isEmpty()) {
      outbox.tell(Level.WARN, "warning of the server: " + accepted.warning(), run.job(), now);
    }
    boolean changed = !run.job().ticket().equals(Optional.of(accepted.ticket()));
    if (changed && !run.job().state().isFinal()) {
      save(run.job().withTicket(accepted.ticket()), now);
    }
  }

  private void learn(JobRun before, JobRun after, Now now) {
    Job job = before.job();
    if (before.stage() == Stage.FOLLOWING && after.stage() == Stage.COLLECTING) {
      outbox.learn(
          StepTimes.Step.RUN, job.backend(), job.shape(), now.steady().minus(before.begun()));
    }
    if (before.stage() == Stage.COLLECTING && after.stage() == Stage.ENDING) {
      outbox.learn(
          StepTimes.Step.COLLECT,
          job.backend(),
          job.shape(),
          now.steady().minus(before.stageSince()));
    }
  }

  /** A write was carried out, or not. */
  void saved(long ask, Job.Id id, String error, Now now) {
    Optional<Asks.Ask> found = asks.answered(ask);
    if (found.isEmpty()) {
      return;
    }
    s.storeWritable(error.isEmpty());
    if (found.get().name().equals(RUN)) {
      runSaved(id, error, now);
    } else if (error.isEmpty()) {
      sideSaved(id, now);
    } else {
      writes.failed(now);
    }
  }

  private void runSaved(Job.Id id, String error, Now now) {
    Optional<JobRun> run = s.jobs().run().filter(one -> one.job().id().equals(id));
    if (run.isEmpty()) {
      return;
    }
    if (!error.isEmpty()) {
      s.jobs().run(Optional.of(run.get().troubled(error, now)));
    } else if (run.get().stage() == Stage.ENDING) {
      judge(new Verdict.Over(run.get(), true), now);
    }
  }

  private void sideSaved(Job.Id id, Now now) {
    writes
        .written(id, now)
        .filter(job -> job.state() == Job.State.CANCELLED)
        .ifPresent(job -> cancellationWritten(job, now));
  }

  private void cancellationWritten(Job written, Now now) {
    Job.Id id = written.id();
    Long request = cancelling.remove(id);
    s.jobs()
        .run()
        .filter(run -> run.job().id().equals(id))
        .ifPresentOrElse(
            run -> s.jobs().run(Optional.of(cancelled(run, written, now))),
            () -> s.jobs().put(written));
    outbox.tell(Level.INFO, "job " + id + " is cancelled", written, now);
    if (request != null) {
      Command.Answer answer = new Command.Answer.Changed(Optional.of(written), Optional.empty());
      outbox.add(new Command.Reply(request, answer));
    }
  }

  /** What the attempt knows by now, its ticket above all, is newer than what was written. */
  private static JobRun cancelled(JobRun run, Job written, Now now) {
    Job job = run.job().ended(Job.State.CANCELLED, written.error(), List.of(), now.wall());
    return JobRules.cancel(run, now).withJob(job);
  }

  /** The attempt is over and the job is not: it waits again, unless it is being cancelled. */
  private void giveBack(Job job) {
    leave(cancelling.containsKey(job.id()) ? writes.pending(job.id()).orElse(job) : job);
  }

  /** The attempt is over, and its server is rid of the job, as the job now stands. */
  private void leave(Job job) {
    asks.drop(RUN);
    if (job.state() == Job.State.CANCELLED || cancelling.containsKey(job.id())) {
      outbox.add(new Command.Remember(Memory.CANCELLING, ""));
    }
    inherited = Optional.empty();
    if (s.box().runsToExit(job.backend())) {
      s.attempts().account(job.backend());
    }
    s.jobs().run(Optional.empty());
    s.jobs().put(job);
  }

  private void judge(Verdict verdict, Now now) {
    switch (verdict) {
      case Verdict.GoesOn next -> s.jobs().run(Optional.of(next.run()));
      case Verdict.Lost lost -> lost(lost, now);
      case Verdict.Wedged wedged -> wedged(wedged, now);
      case Verdict.NotBegun none -> {
        giveBack(none.run().job());
        s.storeWritable(false);
        s.setAsides().failed(none.run().job().backend(), none.reason(), now);
        outbox.tell(Level.ERROR, none.reason(), none.run().job(), now);
      }
      case Verdict.Over over -> over(over, now);
    }
  }

  private void wedged(Verdict.Wedged wedged, Now now) {
    JobRun run = wedged.run();
    Backend.Id id = run.job().backend();
    if (isToldByDocker(run) && s.sightings().isDown(id)) {
      // There is nothing left to stop, and nobody to ask.
      lost(new Verdict.Lost(run, wedged.reason()), now);
      return;
    }
    s.jobs().run(Optional.of(run));
    condemn(id, wedged.reason(), now);
  }

  private void lost(Verdict.Lost lost, Now now) {
    Job job = lost.run().job();
    if (job.state().isFinal()) {
      giveBack(job);
      return;
    }
    asks.drop(RUN);
    boolean spared = isWaiting(lost.run()) || isSpared(lost);
    if (!spared && job.attempts() >= media(lost.run()).tries()) {
      String why = lost.reason() + " in attempt " + job.attempts() + " of " + job.attempts();
      s.jobs().run(Optional.of(JobRules.failing(lost.run(), why, now)));
      return;
    }
    Job again = job.requeued(job.attempts() - (spared ? 1 : 0), lost.reason());
    giveBack(again);
    save(again, now);
    outbox.tell(Level.WARN, "job " + job.id() + " is tried again: " + lost.reason(), again, now);
  }

  /** Its container was never started for it. */
  private boolean isWaiting(JobRun run) {
    return run.waitsForStart(s.attempts().lastEnd(run.job().backend()));
  }

  /**
   * An attempt that an earlier process wrote and did not live to hand over does not count: its
   * server has run since before the job's first attempt, and it never came there.
   */
  private boolean isSpared(Verdict.Lost lost) {
    Job job = lost.run().job();
    boolean sameServer =
        media(lost.run()).runsToExit()
            || s.sightings()
                .running(job.backend())
                .flatMap(running -> job.started().map(running.run().startedAt()::isBefore))
                .orElse(false);
    int times =
        1 + s.spared().filter(one -> one.job().equals(job.id())).map(Spared::times).orElse(0);
    if (!lost.neverCame()
        || !sameServer
        || times > Spared.LIMIT
        || !inherited.equals(Optional.of(job.id()))) {
      return false;
    }
    Spared spared = new Spared(job.id(), times);
    s.spared(spared);
    outbox.add(new Command.Remember(Memory.SPARED, Memory.encode(spared)));
    return true;
  }

  /** Its visit failed: the attempt is given back to the queue. */
  void visitFailed(Backend.Id media, String reason, Now now) {
    Optional<JobRun> found = s.jobs().run().filter(run -> run.job().backend().equals(media));
    if (found.isEmpty()) {
      return;
    }
    if (found.get().isOnServer()) {
      judge(new Verdict.Lost(found.get(), reason), now);
    } else if (found.get().stage() == Stage.BEGINNING) {
      // The server never heard of it: the job is still queued, no attempt counted.
      giveBack(found.get().job());
    }
  }

  /** Its jobs fail with that reason: the backend failed too often in a row. */
  void failQueued(Backend.Id media, String reason, Now now) {
    for (Job job : s.jobs().queued()) {
      if (job.backend().equals(media) && !cancelling.containsKey(job.id())) {
        Job failed = job.ended(Job.State.FAILED, reason, List.of(), now.wall());
        s.jobs().put(failed);
        save(failed, now);
        outbox.tell(Level.ERROR, "job " + job.id() + " failed: " + reason, failed, now);
      }
    }
  }

  private void condemn(Backend.Id media, String reason, Now now) {
    if (s.sightings().look(media).isEmpty()) {
      s.suspect(media);
    }
    s.sightings()
        .running(media)
        .ifPresent(
            running -> {
              if (!running.run().equals(s.condemned().put(media, running.run()))) {
                outbox.tell(Level.WARN, "media", reason + "; it is stopped", media, now);
              }
            });
  }

  private void over(Verdict.Over over, Now now) {
    JobRun run = over.run();
    Job job = run.job().state().isFinal() ? run.job() : ended(run, now);
    leave(job);
    if (media(run).runsToExit()) {
      s.setAsides().succeeded(job.backend());
    }
    tooLate(job);
    s.lastJobEnd(Optional.of(new Situation.JobEnd(job.backend(), now.steady())));
    if (!over.written()) {
      writes.later(job, now);
    }
    Level level = job.state() == Job.State.FAILED ? Level.ERROR : Level.INFO;
    String why = job.error().isEmpty() ? "" : ": " + job.error();
    String word = job.state().name().toLowerCase(java.util.Locale.ROOT);
    outbox.tell(level, "job " + job.id() + " is " + word + why, job, now);
  }

  /** Somebody wants it cancelled: that is written before anything is done about it. */
  Optional<Command.Answer> cancel(long request, Job.Id id, Now now) {
    if (cancelling.containsKey(id)) {
      return Optional.of(ending(id));
    }
    Optional<Job> found = s.jobs().job(id);
    if (found.isEmpty()) {
      return Optional.of(
          new Command.Answer.Refused(Command.Answer.Kind.NOT_FOUND, "no open job is named " + id));
    }
    Optional<JobRun> run = s.jobs().run().filter(one -> one.job().id().equals(id));
    Job cancelled =
        found.get().ended(Job.State.CANCELLED, "cancelled on request", List.of(), now.wall());
    if (run.isEmpty()) {
      // It must not begin while its cancellation waits for the disk.
      s.jobs().put(cancelled);
    } else if (run.get().stage() == Stage.ENDING) {
      return Optional.of(ending(id));
    } else {
      Backend.Id media = found.get().backend();
      run.get()
          .run()
          .map(server -> Memory.cancelling(id, media, server))
          .ifPresent(text -> outbox.add(new Command.Remember(Memory.CANCELLING, text)));
    }
    save(cancelled, now);
    cancelling.put(id, request);
    return Optional.empty();
  }

  private static Command.Answer ending(Job.Id id) {
    return new Command.Answer.Refused(
        Command.Answer.Kind.CONFLICT, "job " + id + " is ending already");
  }

  /** The job ended before its cancellation was written: too late, and whoever asked is told so. */
  private void tooLate(Job job) {
    Long request = cancelling.remove(job.id());
    if (request == null) {
      return;
    }
    writes.forget(job.id());
    outbox.add(
        new Command.Reply(
            request,
            new Command.Answer.Refused(
                Command.Answer.Kind.CONFLICT,
                "job " + job.id() + " ended before its cancellation could be written")));
  }

  /** While its cancellation waits to be written, nothing else is to be said of it. */
  private void save(Job job, Now now) {
    if (!cancelling.containsKey(job.id())) {
      writes.save(job, now);
    }
  }

  /** A question about the attempt was never answered. */
  void overdue(Asks.Ask ask, Now now) {
    Optional<JobRun> run = s.jobs().run();
    if (!ask.name().equals(RUN) || run.isEmpty()) {
      return;
    }
    if (run.get().stage() == Stage.BEGINNING || run.get().stage() == Stage.ENDING) {
      s.storeWritable(false);
      s.jobs().run(Optional.of(run.get().troubled("the store did not answer", now)));
      return;
    }
    JobAnswer none = new JobAnswer.Unanswered("no answer in time");
    judge(JobRules.answered(run.get(), none, media(run.get()), now), now);
  }

  private Optional<JobRun> current(long ask, Job.Id id) {
    boolean awaited = asks.answered(ask).filter(one -> one.name().equals(RUN)).isPresent();
    return awaited ? s.jobs().run().filter(run -> run.job().id().equals(id)) : Optional.empty();
  }

  private Media media(JobRun run) {
    return s.box().media(run.job().backend()).orElseThrow();
  }
}
