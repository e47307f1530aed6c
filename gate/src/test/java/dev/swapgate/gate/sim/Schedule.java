package dev.swapgate.gate.sim;

import java.util.List;

/** One story with its faults, then a phase in which the world behaves and all must be well. */
final class Schedule {

  private static final long MINUTE = 60_000;

  /** What one schedule amounted to. */
  record Outcome(List<Strikes.Hit> hits, long swaps, long checks, int jobs) {

    /** It tells something only with a whole swap in it. */
    boolean counts() {
      return swaps > 0;
    }
  }

  /** A promise was broken. */
  static final class Broken extends AssertionError {
    private static final long serialVersionUID = 1L;

    private final transient Story story;
    private final transient List<Strikes.Hit> hits;

    Broken(Story story, List<Strikes.Hit> hits, AssertionError cause) {
      super(story + ": " + cause.getMessage(), cause);
      this.story = story;
      this.hits = List.copyOf(hits);
    }

    Story story() {
      return story;
    }

    List<Strikes.Hit> hits() {
      return hits;
    }
  }

  private Schedule() {}

  static Outcome run(long seed) {
    SeededStory story = new SeededStory(seed);
    return run(story, story.strikes());
  }

  /** Runs it; throws {@link Broken} with the last events when a promise breaks. */
  static Outcome run(Story story, Strikes strikes) {
    try {
      SimWorld world = story.begin(strikes);
      story.tell(world);
      world.heal();
      heal(world, story.stays());
      return new Outcome(
          strikes.hits(), world.checks.swaps(), world.checks.count(), world.acknowledged.size());
    } catch (AssertionError e) {
      throw new Broken(story, strikes.hits(), e);
    }
  }

  /** Sum of the budgets, twice readiness, attempts, back-offs, leases and the jobs that wait. */
  private static void heal(SimWorld world, long stays) {
    world.card.unpauseAll();
    int open = (int) world.acknowledged.values().stream().filter(state -> !state.isFinal()).count();
    long bound = 90 * MINUTE + open * 12 * MINUTE;
    long end = world.now + bound;
    untilHealed(world, end);
    // Healed is not enough: it must stay so, and what came in at the last moment must end, too.
    world.runUntil(world.now + stays);
    untilHealed(world, end + 30 * MINUTE);
    world.checks.healed();
  }

  private static void untilHealed(SimWorld world, long end) {
    while (world.now < end && !world.checks.isHealed()) {
      world.runUntil(world.now + MINUTE / 12);
      world.people.endMaintenance();
      world.leases.need();
    }
  }
}
