package dev.swapgate.proxy.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The long runs, started by {@code scripts/soak}. */
final class SoakMain {
  private SoakMain() {}

  public static void main(String[] arguments) throws Exception {
    List<String> words = List.of(arguments);
    // Told to stop, it leaves no dockerd and no swapgate behind.
    Thread hook =
        new Thread(
            () -> ProcessHandle.current().children().forEach(ProcessHandle::destroy), "soak-stop");
    Runtime.getRuntime().addShutdownHook(hook);
    switch (words.get(0)) {
      case "kills" -> kills(Integer.parseInt(words.get(1)), Long.parseLong(words.get(2)));
      case "lies" -> lies(Integer.parseInt(words.get(1)), Long.parseLong(words.get(2)));
      case "matrix" -> matrix(words.subList(1, words.size()));
      default -> throw new IllegalArgumentException("none of kills, lies, matrix: " + words);
    }
  }

  private static void kills(int kills, long seed) throws Exception {
    Path folder = Files.createTempDirectory("swapgate-kills");
    System.out.println("seed " + seed + ", what swapgate says is in " + folder);
    try (KilledQueue queue = new KilledQueue(folder, seed)) {
      KilledQueue.Figures held = queue.kill(kills);
      System.out.println(held.kills() + " kills of swapgate in " + held.queues() + " queues");
      held.killedIn().forEach((phase, count) -> System.out.println("  " + count + " in " + phase));
      System.out.println(
          held.jobs() + " jobs done, each once, with " + held.files() + " files, each once");
      held.attempts()
          .forEach((count, jobs) -> System.out.println("  " + jobs + " in attempt " + count));
      System.out.println("no failed claim and no overlap on the pretend card");
    }
    delete(folder);
  }

  private static void lies(int worlds, long seed) throws Exception {
    Map<String, Integer> all = new TreeMap<>();
    for (long one = seed; one < seed + worlds; one++) {
      Path folder = Files.createTempDirectory("swapgate-lies");
      System.out.println("seed " + one);
      LyingDaemon.lieAndHeal(folder, one)
          .forEach((lie, count) -> all.merge(lie, count, Integer::sum));
      delete(folder);
    }
    System.out.println(
        worlds + " worlds healed after " + all.values().stream().reduce(0, Integer::sum) + " lies");
    all.forEach((lie, count) -> System.out.println("  " + count + " " + lie));
  }

  /**
   * @param cells "all", "sample", or words that name a fault and a step:
   *     "never_ready*probing_engine"
   */
  private static void matrix(List<String> cells) throws Exception {
    Path folder = Files.createTempDirectory(Path.of("/tmp"), "sg");
    List<FaultMatrix.Result> results;
    try (PrivateDocker docker = new PrivateDocker(Files.createDirectory(folder.resolve("d")))) {
      // The image of the machine's own daemon, where there is one, spares building it.
      Program.isOk(
          "sh",
          "-c",
          "docker save " + Simulators.IMAGE + " | docker -H " + docker.address() + " load");
      Program.run(
          "env",
          "DOCKER_HOST=" + docker.address(),
          Simulators.checkout().resolve("scripts/build-images").toString());
      results = new FaultMatrix(folder, docker, SoakMain::tell).run(chosen(cells));
    }
    System.out.println(FaultMatrix.table(results));
    long failed = results.stream().filter(result -> result.failure().isPresent()).count();
    if (failed > 0) {
      throw new AssertionError(failed + " cells did not hold; their logs are in " + folder);
    }
    delete(folder);
  }

  private static synchronized void tell(FaultMatrix.Result result) {
    System.out.println(result.line());
    result.failure().ifPresent(System.out::println);
    System.out.flush();
  }

  private static List<FaultMatrix.Cell> chosen(List<String> words) {
    return switch (words.get(0)) {
      case "all" -> FaultMatrix.all();
      case "sample" -> FaultMatrix.SAMPLE;
      default ->
          FaultMatrix.all().stream()
              .filter(
                  cell ->
                      words.contains(cell.fault().name().toLowerCase(Locale.ROOT))
                          || words.contains(
                              (cell.fault().name() + "*" + cell.step().name())
                                  .toLowerCase(Locale.ROOT)))
              .toList();
    };
  }

  private static void delete(Path folder) throws IOException {
    try (var all = Files.walk(folder)) {
      for (Path file : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
