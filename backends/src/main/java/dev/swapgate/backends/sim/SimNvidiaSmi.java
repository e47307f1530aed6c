package dev.swapgate.backends.sim;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Stands in for {@code nvidia-smi} on a pretend card: {@code --query-gpu=…} and {@code
 * --query-compute-apps=…} with {@code --format=csv[,noheader][,nounits]}, any columns in any order.
 * The card's directory comes from {@code SIM_CARD}.
 *
 * <p>As with the real one, the process ids are those of the machine it runs on, not of the
 * containers: the kernel's list of locks says who holds a claim. Memory that a dead process left
 * behind shows as used and belongs to nobody. A file {@code smi-fault} in the card's directory
 * makes it misbehave: {@code error}, {@code none}, {@code na} or {@code hang}.
 */
public final class SimNvidiaSmi {
  static final String UUID = "GPU-5a7e0000-0000-4000-8000-000000032607";
  private static final int DRIVER_ERROR = 9;
  private static final int NO_DEVICES = 6;
  private static final int BAD_ARGUMENT = 2;

  private final PretendCard card;
  private final PrintStream out;

  SimNvidiaSmi(PretendCard card, PrintStream out) {
    this.card = card;
    this.out = out;
  }

  public static void main(String[] arguments) {
    String directory = System.getenv("SIM_CARD");
    if (directory == null) {
      System.err.println("SIM_CARD is not set; it names the directory that is the pretend card");
      System.exit(BAD_ARGUMENT);
      return;
    }
    System.exit(
        new SimNvidiaSmi(PretendCard.at(Path.of(directory)), System.out).run(List.of(arguments)));
  }

  /** Prints the answer and returns the exit status. */
  int run(List<String> arguments) {
    switch (fault()) {
      case "error" -> {
        out.println(
            "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.");
        return DRIVER_ERROR;
      }
      case "none" -> {
        out.println("No devices were found");
        return NO_DEVICES;
      }
      case "hang" -> Pause.forEver();
      default -> {
        return answer(arguments);
      }
    }
    return 0;
  }

  private int answer(List<String> arguments) {
    String format = option(arguments, "--format=");
    for (String argument : arguments) {
      if (argument.startsWith("--query-gpu=")) {
        return print(argument, format, List.of(card.reading()), gpuColumns());
      }
      if (argument.startsWith("--query-compute-apps=")) {
        return print(argument, format, apps(), APP_COLUMNS);
      }
    }
    out.println("GPU 0: " + NAME + " (UUID: " + UUID + ")");
    return 0;
  }

  private <T> int print(
      String query, String format, List<T> rows, Map<String, Function<T, String>> known) {
    List<String> asked = List.of(query.substring(query.indexOf('=') + 1).split(",", -1));
    for (String column : asked) {
      if (!known.containsKey(column.strip())) {
        out.printf("Field \"%s\" is not a valid field to query.%n", column.strip());
        return BAD_ARGUMENT;
      }
    }
    List<String> options = List.of(format.split(",", -1));
    String unit = options.contains("nounits") ? "" : " MiB";
    if (!options.contains("noheader")) {
      out.println(String.join(", ", asked));
    }
    for (T row : rows) {
      List<String> cells = new ArrayList<>();
      for (String column : asked) {
        String cell = Objects.requireNonNull(known.get(column.strip())).apply(row);
        boolean memory = column.contains("memory") && !cell.startsWith("[");
        cells.add(memory ? cell + unit : cell);
      }
      out.println(String.join(", ", cells));
    }
    return 0;
  }

  private static final String NAME = "Pretend Card 32 GB";

  private Map<String, Function<PretendCard.Reading, String>> gpuColumns() {
    boolean unknown = fault().equals("na");
    return Map.of(
        "index", reading -> "0",
        "uuid", reading -> UUID,
        "gpu_uuid", reading -> UUID,
        "name", reading -> NAME,
        "driver_version", reading -> "580.65.06",
        "memory.total", reading -> Integer.toString(reading.totalMib()),
        "memory.used", reading -> mib(unknown, reading.totalMib() - reading.freeMib()),
        "memory.free", reading -> mib(unknown, reading.freeMib()),
        "memory.reserved", reading -> "0",
        "utilization.gpu", reading -> "0");
  }

  private static String mib(boolean unknown, int value) {
    return unknown ? "[N/A]" : Integer.toString(value);
  }

  private record App(long pid, int mib, String name) {}

  private static final Map<String, Function<App, String>> APP_COLUMNS =
      Map.of(
          "gpu_uuid", app -> UUID,
          "gpu_name", app -> NAME,
          "pid", app -> Long.toString(app.pid()),
          "used_memory", app -> Integer.toString(app.mib()),
          "used_gpu_memory", app -> Integer.toString(app.mib()),
          "process_name", App::name,
          "name", App::name);

  private List<App> apps() {
    Map<Long, Long> pidsByInode = lockOwners();
    return card.reading().held().stream()
        .filter(PretendCard.Held::alive)
        .map(
            held ->
                new App(
                    pidsByInode.getOrDefault(inode(held.file()), held.holder().pid()),
                    held.mib(),
                    processName(held.holder())))
        .toList();
  }

  private static String processName(Holder holder) {
    String container = holder.container();
    return container.isEmpty()
        ? "/sim/" + holder.who()
        : "/sim/" + holder.who() + "@" + container.substring(0, Math.min(12, container.length()));
  }

  /** {@code 1: POSIX ADVISORY WRITE 4711 fd:00:1234 0 EOF}, pids as this process sees them. */
  private static Map<Long, Long> lockOwners() {
    try {
      return Files.readAllLines(Path.of("/proc/locks")).stream()
          .map(line -> line.strip().split("\\s+"))
          .filter(words -> words.length > 5 && words[1].equals("POSIX") && !words[4].equals("0"))
          .collect(
              Collectors.toMap(
                  words -> Long.parseLong(words[5].substring(words[5].lastIndexOf(':') + 1)),
                  words -> Long.parseLong(words[4]),
                  (first, second) -> first));
    } catch (IOException e) {
      return Map.of();
    }
  }

  private static long inode(Path file) {
    try {
      return ((Number) Files.getAttribute(file, "unix:ino")).longValue();
    } catch (IOException | UnsupportedOperationException e) {
      return -1;
    }
  }

  private String fault() {
    try {
      return Files.readString(card.directory().resolve("smi-fault"))
          .strip()
          .toLowerCase(Locale.ROOT);
    } catch (IOException e) {
      return "";
    }
  }

  private static String option(List<String> arguments, String start) {
    return arguments.stream()
        .filter(argument -> argument.startsWith(start))
        .map(argument -> argument.substring(start.length()))
        .findFirst()
        .orElse("csv");
  }
}
