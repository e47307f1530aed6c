package dev.swapgate.proxy.e2e;

import dev.swapgate.gate.runtime.SteadyClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Every step × every fault, on a private daemon; and the sample of it that a test run does. */
final class FaultMatrix {
  /** Cells that wait most of the time share the machine; those about the daemon have it alone. */
  private static final int AT_A_TIME = 3;

  /** Each fault once, at a step where it comes to its end soon. */
  static final List<Cell> SAMPLE =
      List.of(
          new Cell(Fault.SWAPGATE_KILLED, Step.STOPPING_ENGINE),
          new Cell(Fault.SWAPGATE_TOLD_TO_STOP, Step.JOB_RUNNING),
          new Cell(Fault.CONTAINER_KILLED, Step.SERVING),
          new Cell(Fault.CONTAINER_REMOVED, Step.SERVING),
          new Cell(Fault.CONTAINER_EXITS_AT_ONCE, Step.STARTING_ENGINE),
          new Cell(Fault.NEVER_READY, Step.PROBING_ENGINE),
          new Cell(Fault.READINESS_FLAPS, Step.MEDIA_READINESS),
          new Cell(Fault.STOP_HANGS, Step.STOPPING_MEDIA),
          new Cell(Fault.MEDIA_HANGS, Step.STOPPING_MEDIA),
          new Cell(Fault.MEDIA_ANSWERS_500, Step.JOB_RUNNING),
          new Cell(Fault.DISK_FULL_FOR_RESULTS, Step.JOB_RUNNING),
          new Cell(Fault.STATE_READ_ONLY, Step.SERVING),
          new Cell(Fault.DOCKERD_UNREACHABLE, Step.JOB_RUNNING),
          new Cell(Fault.DOCKERD_RESTARTED, Step.SERVING));

  private final SteadyClock clock = SteadyClock.system();
  private final Path folder;
  private final PrivateDocker docker;
  private final Consumer<Result> told;
  private final AtomicInteger numbers = new AtomicInteger();

  record Cell(Fault fault, Step step) {
    @Override
    public String toString() {
      return fault + " × " + step;
    }
  }

  /**
   * @param failure what did not hold; empty when all did
   * @param note what is worth telling of one that held
   */
  record Result(Cell cell, Duration took, String note, Optional<String> failure) {
    String line() {
      return "%s: %s in %d s %s"
          .formatted(cell, failure.isPresent() ? "FAILED" : "ok", took.toSeconds(), note)
          .strip();
    }
  }

  /**
   * @param folder with a short path; a cell that fails leaves its logs there
   * @param told hears of each cell when it has ended; may be called by several threads
   */
  FaultMatrix(Path folder, PrivateDocker docker, Consumer<Result> told) {
    this.folder = folder;
    this.docker = docker;
    this.told = told;
  }

  /** Every cell that is not n/a. */
  static List<Cell> all() {
    List<Cell> all = new ArrayList<>();
    for (Fault fault : Fault.values()) {
      for (Step step : Step.values()) {
        if (fault.whyNot(step).isEmpty()) {
          all.add(new Cell(fault, step));
        }
      }
    }
    return all;
  }

  List<Result> run(List<Cell> cells) throws InterruptedException, ExecutionException {
    List<Result> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME)) {
      List<Future<Result>> running = new ArrayList<>();
      for (Cell cell : cells) {
        if (!cell.fault().isOfTheDaemon()) {
          running.add(threads.submit(() -> run(cell)));
        }
      }
      for (Future<Result> one : running) {
        results.add(one.get());
      }
    }
    for (Cell cell : cells) {
      if (cell.fault().isOfTheDaemon()) {
        results.add(run(cell));
      }
    }
    return results;
  }

  private Result run(Cell cell) {
    Duration begun = clock.now().steady();
    int number = numbers.getAndIncrement();
    Path own = folder.resolve("cell-" + number);
    String note = "";
    Optional<String> failure = Optional.empty();
    try {
      Files.createDirectory(own);
      try (FaultCell one = new FaultCell(docker, own, number, cell.step(), cell.fault())) {
        note = one.run();
      }
    } catch (IOException | RuntimeException | AssertionError e) {
      failure = Optional.of(e + " (see " + own + ")");
    }
    Result result = new Result(cell, clock.now().steady().minus(begun), note, failure);
    told.accept(result);
    return result;
  }

  /** The table of results, as it stands in gate/README.md. */
  static String table(List<Result> results) {
    Map<Cell, Result> byCell =
        new TreeMap<>(java.util.Comparator.comparing(Cell::fault).thenComparing(Cell::step));
    results.forEach(result -> byCell.put(result.cell(), result));
    StringBuilder table = new StringBuilder("| fault |");
    for (Step step : Step.values()) {
      table.append(' ').append(step).append(" |");
    }
    table.append("\n|---|").append("---|".repeat(Step.values().length)).append('\n');
    for (Fault fault : Fault.values()) {
      table.append("| ").append(fault).append(" |");
      for (Step step : Step.values()) {
        Result result = byCell.get(new Cell(fault, step));
        table.append(' ').append(word(fault, step, result)).append(" |");
      }
      table.append('\n');
    }
    table.append('\n');
    for (Fault fault : Fault.values()) {
      for (Step step : Step.values()) {
        if (fault.whyNot(step).isPresent()) {
          table.append("n/a, ").append(fault).append(": ");
          table.append(fault.whyNot(step).get()).append('\n');
          break;
        }
      }
    }
    return table.toString();
  }

  private static String word(Fault fault, Step step, Result result) {
    if (result == null) {
      return fault.whyNot(step).isPresent() ? "n/a" : "not run";
    }
    return (result.failure().isPresent() ? "FAILED " : "ok ") + result.took().toSeconds() + " s";
  }
}
