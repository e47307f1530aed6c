package dev.swapgate.gate.sim;

/** Runs many schedules: {@code SimulationMain [SEEDS [FIRST]]}. */
final class SimulationMain {

  private SimulationMain() {}

  public static void main(String[] args) {
    long seeds = args.length > 0 ? Long.parseLong(args[0]) : 10_000;
    long first = args.length > 1 ? Long.parseLong(args[1]) : 1;
    Campaign campaign = Campaign.run(first, seeds);
    System.out.println(campaign.coverage().table());
    System.out.println(campaign.summary());
    campaign.broken().forEach(broken -> System.out.println(Shrink.shrink(broken)));
    if (!campaign.broken().isEmpty()) {
      System.exit(1);
    }
  }
}
