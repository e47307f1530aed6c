package dev.swapgate.gate.sim;

/** Runs many schedules: {@code SimulationMain [SEEDS [FIRST]]}. */
final class SimulationMain {

  private SimulationMain() {}

  public static void main(String[] args) {
    long seeds = args.length > 0 ? Long.parseLong(args[0]) : 10_000;
    long first = args.length > 1 ? Long.parseLong(args[1]) : 1;
    Plant plant = args.length > 2 ? Plant.valueOf(args[2]) : Plant.NONE;
    long failures = 0;
    long faults = 0;
    long swaps = 0;
    long checks = 0;
    long jobs = 0;
    for (long seed = first; seed < first + seeds; seed++) {
      Schedule.Outcome outcome;
      try {
        outcome = Schedule.run(seed, plant);
      } catch (AssertionError e) {
        failures++;
        String[] lines = e.getMessage().split("\n", 2);
        System.out.println(lines[0]);
        if (failures == 1) {
          System.out.println(lines.length > 1 ? lines[1] : "");
        }
        continue;
      }
      faults += outcome.faults();
      swaps += outcome.swaps();
      checks += outcome.checks();
      jobs += outcome.jobs();
    }
    System.out.printf(
        "%,d schedules, %,d faults, %,d openings, %,d jobs, %,d checks, %,d violations%n",
        seeds, faults, swaps, jobs, checks, failures);
    if (failures > 0) {
      System.exit(1);
    }
  }
}
