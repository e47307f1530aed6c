package dev.swapgate.gate.sim;

import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.Phase;
import java.util.Map;
import java.util.Optional;

/** The promises, checked after every event and once more when the world has healed. */
final class SimChecks {
  private static final long DRAIN_MILLIS = 60_000;

  private final SimWorld world;
  private long cutAllowedAt = Long.MAX_VALUE;
  private boolean wasOpen;
  private long count;
  private boolean mediaRan;
  private long swaps;

  SimChecks(SimWorld world) {
    this.world = world;
  }

  /** Chat is cut only when the time it has to finish is over. */
  void cut() {
    if (world.now < cutAllowedAt) {
      throw world.fail("chat was cut before the drain budget was over");
    }
  }

  void check() {
    count++;
    boolean open = world.chat.turnstile().isOpen();
    if (open && !wasOpen && mediaRan) {
      swaps++;
      mediaRan = false;
    }
    if (!open && wasOpen) {
      cutAllowedAt = world.now + DRAIN_MILLIS;
    }
    wasOpen = open;
    if (count % 64 == 0 && open != world.loop.view().chatOpen()) {
      throw world.fail(
          "the view says chat_open="
              + world.loop.view().chatOpen()
              + ", the turnstile says "
              + open);
    }
    world
        .chat
        .turnstile()
        .openFor()
        .ifPresent(
            id -> {
              SimContainer engine = world.containers.get(id);
              if (engine.running && engine.orderedDown) {
                throw world.fail("the turnstile is open for " + id + ", to which a stop was sent");
              }
            });
    for (Map.Entry<Job.Id, Job.State> entry : world.acknowledged.entrySet()) {
      Job stored = world.disk.jobs.get(entry.getKey());
      if (stored == null) {
        throw world.fail("job " + entry.getKey() + " was accepted and is not on disk");
      }
      if (entry.getValue().isFinal() && stored.state() != entry.getValue()) {
        throw world.fail(
            "job " + entry.getKey() + " went from " + entry.getValue() + " to " + stored.state());
      }
      if (stored.state() == Job.State.DONE && !world.disk.files.contains(stored.id())) {
        throw world.fail("job " + stored.id() + " is done and its files are not on disk");
      }
      entry.setValue(stored.state());
    }
  }

  /** How often the promises were checked. */
  long count() {
    return count;
  }

  /** How often chat was let in again after a media server had the card. */
  long swaps() {
    return swaps;
  }

  /** A start is only sent while nothing else runs by our own doing, and nothing may come yet. */
  void start(SimContainer container) {
    mediaRan |= !container.engine;
    boolean again =
        container.runsToExit
            && (container.staged.isEmpty() || container.stagedAfter != container.run);
    if (again) {
      throw world.fail("a start of " + container.id + " was sent, and no request waits for it");
    }
    for (SimContainer other : world.containers.values()) {
      if (other != container
          && other.running
          && other.ours
          && !other.paused
          && !other.orderedDown) {
        throw world.fail("a start of " + container.id + " was sent while " + other.id + " runs");
      }
    }
  }

  /** A start of ours met too little memory, and no stranger explains it. */
  void memory(SimContainer container) {
    for (SimContainer other : world.containers.values()) {
      if (other != container && !other.running && world.now < other.holdsUntil && other.ours) {
        throw world.fail(
            container.id + " was started before " + other.id + " gave its memory back");
      }
    }
  }

  /** Results are on disk before we stop the container that has them. */
  void collected(SimContainer container) {
    for (Map.Entry<String, SimContainer.SimJob> entry : container.jobs.entrySet()) {
      Job.Id id = new Job.Id(entry.getKey().substring(0, entry.getKey().indexOf('/')));
      SimContainer.SimJob job = entry.getValue();
      Job stored = world.disk.jobs.get(id);
      boolean finished = world.now >= job.doneAt && !job.errors && !job.cancelled;
      boolean wanted = stored != null && !stored.state().isFinal();
      boolean latest =
          stored != null
              && stored.ticket().map(t -> t.value().equals(entry.getKey())).orElse(false);
      if (finished
          && wanted
          && latest
          && !world.disk.files.contains(id)
          && world.loop.view().phase() != Phase.MAINTENANCE) {
        uncollected(container, id);
      }
    }
  }

  /** Only a failed visit may leave results behind; then the job is tried again. */
  private void uncollected(SimContainer container, Job.Id id) {
    world.trace("  stopped with uncollected results of " + id + " on " + container.id);
  }

  /** True when nothing is left to be done: chat is open, no accepted job is open. */
  boolean isHealed() {
    return world.loop != null
        && world.chat.turnstile().isOpen()
        && !isBatchEngineServing()
        && world.disk.jobs.values().stream().allMatch(job -> job.state().isFinal());
  }

  /** It serves for a time only: the selected engine is still to come. */
  private boolean isBatchEngineServing() {
    return world
        .chat
        .turnstile()
        .openFor()
        .filter(id -> world.box.batchEngine().equals(Optional.of(id)))
        .filter(id -> !world.loop.view().selected().equals(id))
        .isPresent();
  }

  /** After the healing phase: chat is open and every accepted job is over. */
  void healed() {
    for (Map.Entry<Job.Id, Job.State> entry : world.acknowledged.entrySet()) {
      Job stored = world.disk.jobs.get(entry.getKey());
      if (stored == null || !stored.state().isFinal()) {
        throw world.fail(
            "no progress: job "
                + entry.getKey()
                + " is still "
                + stored
                + ", view "
                + world.loop.view());
      }
    }
    if (!world.chat.turnstile().isOpen()) {
      throw world.fail("no progress: the turnstile is still shut, view " + world.loop.view());
    }
    if (isBatchEngineServing()) {
      throw world.fail("no progress: the selected engine is not back, view " + world.loop.view());
    }
    SimContainer engine = world.containers.get(world.chat.turnstile().openFor().orElseThrow());
    if (!engine.isReady(world.now)) {
      throw world.fail(
          "no progress: the turnstile is open for " + engine.id + ", which is not ready");
    }
  }
}
