package dev.swapgate.gate.sim;

/**
 * Known-bad variants of the gate: one place in its source is changed, and the simulation must
 * notice, or it proves nothing.
 */
enum Variant {
  NO_FENCE_AFTER_UNKNOWN(
      "core/Attempts",
      "boolean settles = verb == Note.Verb.START && certain;",
      "boolean settles = verb == Note.Verb.START;"),
  ONE_LOOK_IS_ENOUGH(
      "core/Attempts",
      "Duration earliest = down ? latest(first.get(), attempt) : first.get().answered();",
      "Duration earliest = first.get().answered();"),
  NO_MEMORY_WAIT(
      "core/CardWatch",
      "if (noTool) {\n      return lastAsked",
      "if (noTool || !samples.isEmpty()) {\n      return lastAsked"),
  STALE_READING(
      "core/CardWatch",
      "return samples.stream().filter(one -> one.asked().compareTo(dirty) > 0).toList();",
      "return List.copyOf(samples);"),
  SECOND_STOP(
      "core/Reconciler",
      "? new Step.Kill(id, \"it still runs",
      "? new Step.Stop(id, \"it still runs"),
  STARTS_BESIDE_ANOTHER(
      "core/Reconciler",
      "if (!ownership.is(backend.id()) && !sightings.isDown(backend.id())) {",
      "if (!ownership.is(backend.id()) && sightings.isReady(backend.id())) {"),
  NO_DRAIN(
      "core/Reconciler",
      "if (now.steady().compareTo(until) < 0) {\n      return Optional.of(new Step.Drain",
      "if (s.inside() == 0) {\n      return Optional.of(new Step.Drain"),
  OPEN_WHILE_STOPPING(
      "core/TurnstileRule", "&& !s.attempts().wasOrderedDown(id, running.orElseThrow().run())", ""),
  RESTORE_GIVES_UP(
      "core/Restores",
      "return failure == null ? Duration.ZERO : failure.notBefore();",
      "return failure == null ? Duration.ZERO : Duration.ofDays(9);"),
  TRIES_WITHOUT_END(
      "runtime/JobDesk",
      "if (!spared && job.attempts() >= media(lost.run()).tries()) {",
      "if (job.attempts() > media(lost.run()).tries()) {"),
  CANCEL_ANSWERED_BEFORE_IT_IS_WRITTEN(
      "runtime/JobDesk",
      "cancelling.put(id, request);\n    return Optional.empty();",
      "return Optional.of(new Command.Answer.Changed(Optional.of(cancelled), Optional.empty()));"),
  ACCEPTED_BEFORE_IT_IS_WRITTEN(
      "runtime/WishDesk",
      "accepting.put(submit.request(), count);",
      "outbox.add(new Command.Reply(submit.request(), new Answer.Accepted(submit.jobs().stream()"
          + ".map(one -> new Answer.Place(one.job(), 1, Duration.ZERO, Duration.ZERO)).toList())));"),
  SUBMITTED_BEFORE_IT_IS_WRITTEN("core/JobRun", "Stage.BEGINNING,", "Stage.SUBMITTING,"),
  DONE_BEFORE_IT_IS_COLLECTED(
      "core/JobRules",
      "case JobAnswer.Finished finished -> new Verdict.GoesOn(run.at(Stage.COLLECTING, now));",
      "case JobAnswer.Finished finished ->\n          new Verdict.GoesOn(\n"
          + "              run.ending(new End(Job.State.DONE, \"\", List.of()), now));"),
  COMMANDS_AGAIN_AFTER_A_CRASH(
      "runtime/Memory",
      "notes.stream().filter(note -> knows(box, note)).toList()",
      "List.<Note>of()"),
  STARTED_BEFORE_ITS_REQUEST_LIES_READY(
      "core/Reconciler",
      "return waits ? bringUp(s, media, now)",
      "return job.isPresent() ? bringUp(s, media, now)"),
  LEASE_THAT_OUTLIVES_ITS_HEARTBEAT(
      "core/LeaseRules",
      "if (now.steady().compareTo(lease.overAt()) >= 0) {",
      "if (now.steady().compareTo(lease.until()) >= 0) {"),
  LEASE_THAT_DOES_NOT_YIELD("core/LeaseRules", "return lease.terms().yields()", "return false"),
  RETRY_AFTER_WITHOUT_LIMIT(
      "core/Outlook", "Math.max(min.toSeconds(), Math.min(max.toSeconds(), seconds))", "seconds");

  final String file;
  final String right;
  final String wrong;

  Variant(String file, String right, String wrong) {
    this.file = file;
    this.right = right;
    this.wrong = wrong;
  }
}
