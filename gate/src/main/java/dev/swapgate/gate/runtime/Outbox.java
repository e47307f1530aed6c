package dev.swapgate.gate.runtime;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Command;
import dev.swapgate.gate.core.GateEvent;
import dev.swapgate.gate.core.GateEvent.Level;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.core.StepTimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What one event led to: commands to carry out, and when to be woken at the latest. Not
 * thread-safe; belongs to the loop.
 */
final class Outbox {

  private final StepTimes times;
  private List<Command> commands = new ArrayList<>();
  private Optional<Duration> wakeAt = Optional.empty();

  Outbox(StepTimes times) {
    this.times = times;
  }

  void add(Command command) {
    commands.add(command);
  }

  /** Wake the loop at this steady time, or sooner. */
  void wakeAt(Duration at) {
    wakeAt = wakeAt.filter(sooner -> sooner.compareTo(at) <= 0).or(() -> Optional.of(at));
  }

  Optional<Duration> wakeAt() {
    return wakeAt;
  }

  /** Begins anew: the wake-up of the last event no longer counts. */
  void begin() {
    wakeAt = Optional.empty();
  }

  List<Command> take() {
    List<Command> taken = commands;
    commands = new ArrayList<>();
    return taken;
  }

  void learn(StepTimes.Step step, Backend.Id backend, String shape, Duration took) {
    if (took.isNegative()) {
      return;
    }
    StepTimes.Sample sample = new StepTimes.Sample(new StepTimes.Key(step, backend, shape), took);
    times.add(sample);
    add(new Command.Learn(sample));
  }

  void tell(Level level, String what, String text, Now now) {
    add(new Command.Tell(new GateEvent(now.wall(), level, what, text, "", "")));
  }

  void tell(Level level, String what, String text, Backend.Id backend, Now now) {
    add(new Command.Tell(new GateEvent(now.wall(), level, what, text, backend.value(), "")));
  }

  void tell(Level level, String text, Job job, Now now) {
    add(
        new Command.Tell(
            new GateEvent(
                now.wall(),
                level,
                "job",
                text,
                job.backend().value(),
                job.id().value(),
                Optional.of(job.state()))));
  }
}
