package dev.swapgate.gate.sim;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Command;
import dev.swapgate.gate.core.CommandEnd;
import dev.swapgate.gate.core.ContainerSighting;
import dev.swapgate.gate.core.Event;
import dev.swapgate.gate.core.Note;
import java.util.HashMap;
import java.util.Map;

/** The container daemon: what it shows, and what becomes of the commands it is sent. */
final class SimDaemon {
  private final SimWorld world;
  private long outageUntil;

  SimDaemon(SimWorld world) {
    this.world = world;
  }

  /** The daemon answers nobody for so long. */
  void outage(long millis) {
    outageUntil = world.now + millis;
  }

  void heal() {
    outageUntil = 0;
  }

  boolean isDown() {
    return world.now < outageUntil;
  }

  void look(Command.Look look) {
    if (isDown() || world.strikes(Fault.LOOK_FAILS)) {
      world.post(
          world.random.nextLong(1, isDown() ? 200 : 5_000),
          new Event.LookFailed(look.ask(), "no daemon"));
      return;
    }
    long latency =
        world.strikes(Fault.LOOK_SLOW)
            ? world.random.nextLong(100, 12_000)
            : world.random.nextLong(2, 40);
    Map<Backend.Id, ContainerSighting> seen = new HashMap<>();
    long to = world.life;
    long step = Math.max(1, latency / world.containers.size());
    long at = 0;
    for (SimContainer container : world.containers.values()) {
      long when = at;
      world.after(
          when,
          () -> {
            seen.put(container.id, container.sighting());
          });
      at += step;
    }
    world.after(
        at,
        () -> {
          if (world.life == to) {
            world.handle(new Event.Looked(look.ask(), seen));
          }
        });
  }

  void docker(Command.Docker docker) {
    Note note = docker.note();
    SimContainer container = world.containers.get(note.backend());
    world.trace("SEND " + note.verb() + " " + note.backend());
    world.disk.note(note);
    switch (note.verb()) {
      case START -> world.checks.start(container);
      case STOP -> {
        if (container.running
            && note.run().isPresent()
            && note.run().get().startedAt().equals(container.startedAt)) {
          container.stopsThisRun++;
          if (container.stopsThisRun > 1) {
            throw world.fail("a second stop was sent to " + container.id + " in one run");
          }
          world.checks.collected(container);
          container.orderedDown = true;
        }
      }
      case KILL -> container.orderedDown |= container.running;
    }
    fate(docker, container);
  }

  private void fate(Command.Docker docker, SimContainer container) {
    Note note = docker.note();
    if (isDown()) {
      end(world.random.nextLong(1, 50), note, new CommandEnd.Unknown("connection broke"));
      return;
    }
    if (world.strikes(Fault.COMMAND_REFUSED)) {
      end(world.random.nextLong(5, 300), note, new CommandEnd.Failed("500 server error"));
      return;
    }
    if (world.strikes(Fault.COMMAND_HANGS)) {
      return;
    }
    long latency = world.random.nextLong(20, 400);
    boolean lost = world.strikes(Fault.REPLY_LOST);
    if (world.strikes(Fault.LATE_EFFECT)) {
      latency = docker.deadline().toMillis() + world.random.nextLong(0, 13_000);
      lost = true;
    }
    boolean answered = !lost;
    world.after(latency, () -> effect(docker, container, answered));
  }

  private void end(long millis, Note note, CommandEnd end) {
    long to = world.life;
    world.after(
        millis,
        () -> {
          if (world.life == to) {
            world.handle(new Event.CommandEnded(note.attempt(), end));
            world.disk.note(note.endedWith(end));
          }
        });
  }

  private void effect(Command.Docker docker, SimContainer container, boolean answered) {
    Note note = docker.note();
    switch (note.verb()) {
      case START -> startEffect(note, container, answered);
      case STOP -> stopEffect(docker, container, answered);
      case KILL -> {
        if (container.running) {
          world.card.ended(container, 137);
        }
        if (answered) {
          end(10, note, new CommandEnd.Done());
        }
      }
    }
  }

  private void startEffect(Note note, SimContainer container, boolean answered) {
    CommandEnd end;
    if (!container.exists) {
      end = new CommandEnd.Failed("no such container");
    } else if (container.running) {
      end =
          container.paused
              ? new CommandEnd.Failed("cannot start a paused container")
              : new CommandEnd.Unknown("304 not modified proves nothing");
    } else {
      world.card.started(container, true);
      end = new CommandEnd.Done();
    }
    if (answered) {
      end(5, note, end);
    }
  }

  private void stopEffect(Command.Docker docker, SimContainer container, boolean answered) {
    if (!container.running) {
      if (answered) {
        end(5, docker.note(), new CommandEnd.Unknown("304 not modified proves nothing"));
      }
      return;
    }
    int run = container.run;
    container.paused = false;
    if (world.strikes(Fault.STOP_IGNORED)) {
      return;
    }
    long takes =
        container.ignoresTerm ? docker.grace().toMillis() : world.random.nextLong(50, 3_000);
    world.after(
        takes,
        () -> {
          if (container.run == run && container.running) {
            world.card.ended(container, container.ignoresTerm ? 137 : 0);
          }
          if (answered) {
            end(world.random.nextLong(1, 50), docker.note(), new CommandEnd.Done());
          }
        });
  }
}
