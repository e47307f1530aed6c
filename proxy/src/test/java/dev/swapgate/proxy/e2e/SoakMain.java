package dev.swapgate.proxy.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The long runs, started by {@code scripts/soak}. */
final class SoakMain {
  private SoakMain() {}

  public static void main(String[] arguments) throws Exception {
    List<String> words = List.of(arguments);
    switch (words.get(0)) {
      case "kills" -> kills(Integer.parseInt(words.get(1)), Long.parseLong(words.get(2)));
      default -> throw new IllegalArgumentException("not a long run: " + words);
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

  private static void delete(Path folder) throws IOException {
    try (var all = Files.walk(folder)) {
      for (Path file : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
