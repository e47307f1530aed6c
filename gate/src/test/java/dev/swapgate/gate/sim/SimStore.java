package dev.swapgate.gate.sim;

import dev.swapgate.gate.core.Command;
import dev.swapgate.gate.core.Event;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.NewJob;
import java.util.List;

/** The job store: writes take their time, fail, and may outlive the process that gave them. */
final class SimStore {
  private final SimWorld world;
  private long downUntil;
  private long freeAt;

  SimStore(SimWorld world) {
    this.world = world;
  }

  void heal() {
    downUntil = 0;
  }

  void remember(Command.Remember remember) {
    if (!isDown()) {
      world.disk.settings.put(remember.key(), remember.value());
    }
  }

  void learn(Command.Learn learn) {
    if (!isDown()) {
      world.disk.times.add(learn.sample());
    }
  }

  boolean isDown() {
    return world.now < downUntil;
  }

  private boolean fails() {
    if (isDown()) {
      return true;
    }
    if (world.strikes(Fault.STORE_DOWN)) {
      downUntil = world.now + world.random.nextLong(1_000, 90_000 / world.pace);
      return true;
    }
    return false;
  }

  /** Writes are carried out one after another, in the order they were given. */
  private long writeTime() {
    freeAt = Math.max(freeAt, world.now) + world.random.nextLong(1, 30);
    return freeAt - world.now;
  }

  void begin(Command.Begin begin) {
    if (fails()) {
      world.post(20, new Event.Saved(begin.ask(), begin.job().id(), "disk full"));
      return;
    }
    String ticket = begin.job().id() + "/" + (begin.job().attempts() + 1);
    Job written = begin.job().attempted(new Job.Ticket(ticket), world.wall());
    if (written.attempts() > 2) {
      throw world.fail("attempt " + written.attempts() + " of " + written.id() + ", tries is 2");
    }
    long to = world.life;
    world.after(
        writeTime(),
        () -> {
          if (world.life != to && world.random.nextBoolean()) {
            return;
          }
          world.disk.update(written);
          if (world.life == to) {
            world.handle(new Event.Begun(begin.ask(), written));
          }
        });
  }

  void accept(Command.Accept accept) {
    if (fails()) {
      world.post(20, new Event.Accepted(accept.request(), List.of(), "disk full"));
      return;
    }
    long to = world.life;
    world.after(
        writeTime(),
        () -> {
          if (world.life != to) {
            return;
          }
          List<Job> jobs = accept.jobs().stream().map(NewJob::job).toList();
          jobs.forEach(job -> world.disk.jobs.putIfAbsent(job.id(), job));
          world.handle(new Event.Accepted(accept.request(), jobs, ""));
        });
  }

  void save(Command.Save save) {
    if (fails()) {
      world.post(20, new Event.Saved(save.ask(), save.job().id(), "disk full"));
      return;
    }
    long to = world.life;
    world.after(
        writeTime(),
        () -> {
          if (world.life != to && world.random.nextBoolean()) {
            return;
          }
          world.disk.update(save.job());
          if (world.life == to) {
            world.handle(new Event.Saved(save.ask(), save.job().id(), ""));
          }
        });
  }
}
