package dev.swapgate.gate.core;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the loop wants carried out. Every command but {@link Tell} is answered by one event. */
public sealed interface Command {

  /** Look at every container once. */
  record Look(long ask, Map<Backend.Id, String> containers) implements Command {}

  /** Read the card once. */
  record Measure(long ask) implements Command {}

  /** Ask this backend's readiness path once. */
  record Probe(long ask, Backend.Id backend) implements Command {}

  /**
   * A Docker command, noted before it is sent.
   *
   * @param grace for a stop
   */
  record Docker(Note note, String container, Duration grace, Duration deadline)
      implements Command {}

  /** Make a ticket and write the new attempt. */
  record Begin(long ask, Job job) implements Command {}

  /** Ask the media server about this attempt. */
  record Ask(long ask, Question question, Job job) implements Command {}

  /** What a media server can be asked. */
  enum Question {
    SUBMIT,
    FOLLOW,
    COLLECT,
    CANCEL
  }

  /** Write new jobs, all of them or none. */
  record Accept(long request, List<NewJob> jobs, String idempotencyKey) implements Command {
    public Accept {
      jobs = List.copyOf(jobs);
    }
  }

  /** Write a job as it now stands. */
  record Save(long ask, Job job) implements Command {}

  /** Remember a value; best effort, not answered. */
  record Remember(String key, String value) implements Command {}

  /** Remember how long a step took; best effort, not answered. */
  record Learn(StepTimes.Sample sample) implements Command {}

  /** Fetch the last log lines of a container that exited early and tell them; not answered. */
  record TellLog(Backend.Id backend, String container, String text) implements Command {}

  /** Answer a request of the street side; not answered. */
  record Reply(long request, Answer answer) implements Command {}

  /** Tell the listeners; not answered. */
  record Tell(GateEvent event) implements Command {}

  /** End every answer of this engine that still runs, visibly; not answered. */
  record Cut(Backend.Id engine, int retryAfterSeconds) implements Command {}

  /** The answer to a request of the street side. */
  sealed interface Answer {
    /** The jobs that were handed in together, in their order. */
    record Accepted(List<Place> places) implements Answer {
      public Accepted {
        places = List.copyOf(places);
      }
    }

    /**
     * Where a job stands in the queue.
     *
     * @param position 1 for the next one
     * @param startsIn until its run begins, as far as is known
     * @param outage how long chat is expected to wait for it
     */
    record Place(Job job, int position, Duration startsIn, Duration outage) {}

    record Changed(Optional<Job> job, Optional<GateView.LeaseView> lease) implements Answer {}

    record Refused(Kind kind, String reason) implements Answer {}

    /** The kinds of refusal. */
    enum Kind {
      NOT_FOUND,
      INVALID,
      CONFLICT,
      FULL,
      STORAGE
    }
  }
}
