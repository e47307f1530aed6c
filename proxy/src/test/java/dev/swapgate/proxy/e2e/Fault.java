package dev.swapgate.proxy.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What is done to swapgate's world at one step, and undone again. */
enum Fault {
  SWAPGATE_KILLED {
    @Override
    void inject(FaultCell cell) throws IOException {
      cell.swapgate().kill();
      cell.serveAgain();
    }
  },
  SWAPGATE_TOLD_TO_STOP {
    @Override
    void inject(FaultCell cell) throws IOException {
      cell.swapgate().terminate();
      CommandLine.End end = cell.swapgate().end();
      if (end.exitCode() != 0) {
        throw new AssertionError("SIGTERM ended it with " + end);
      }
      cell.serveAgain();
    }
  },
  DOCKERD_RESTARTED {
    @Override
    void inject(FaultCell cell) throws IOException {
      cell.box().docker.restart();
    }
  },
  DOCKERD_UNREACHABLE {
    @Override
    void inject(FaultCell cell) throws IOException {
      cell.box().docker.freeze();
      cell.awaitReason("Docker cannot be asked");
    }

    @Override
    void heal(FaultCell cell) throws IOException {
      cell.box().docker.thaw();
    }
  },
  CONTAINER_KILLED("no container runs while the card is waited for", Step.WAITING_FOR_THE_CARD) {
    @Override
    void inject(FaultCell cell) {
      Program.signal(cell.box().pid(cell.place()), "KILL");
    }
  },
  CONTAINER_REMOVED {
    @Override
    void inject(FaultCell cell) {
      cell.box().docker.docker("rm", "--force", cell.box().container(cell.place()));
      cell.awaitState("missing");
    }

    @Override
    void heal(FaultCell cell) {
      cell.box().create(cell.place());
    }
  },
  CONTAINER_EXITS_AT_ONCE("nothing is started in this step", Among.NO_START) {
    @Override
    void arm(FaultCell cell) throws IOException {
      cell.box().fault(cell.place(), "exit");
    }

    @Override
    void inject(FaultCell cell) {
      cell.awaitExit(1);
    }
  },
  NEVER_READY("readiness is not asked in this step", Among.NO_READINESS) {
    @Override
    void arm(FaultCell cell) throws IOException {
      cell.box().fault(cell.place(), "never-ready");
    }

    @Override
    void inject(FaultCell cell) {
      cell.awaitReason(cell.place() == Place.VLLM ? "overdue" : "not ready within its budget");
    }

    @Override
    int budgetSeconds() {
      return 15;
    }
  },
  READINESS_FLAPS("readiness is not asked in this step", Among.NO_READINESS) {
    @Override
    void arm(FaultCell cell) throws IOException {
      cell.box().fault(cell.place(), "flap");
    }

    @Override
    void inject(FaultCell cell) {
      cell.swapgate().outlives(A_WHILE);
    }
  },
  /** Docker's own shim of the container is frozen: neither a stop nor a kill gets through. */
  STOP_HANGS("no container is stopped in this step", Among.NO_STOP) {
    private long shim(FaultCell cell) {
      return ProcessHandle.of(cell.pid()).flatMap(ProcessHandle::parent).orElseThrow().pid();
    }

    @Override
    void inject(FaultCell cell) {
      cell.remember(shim(cell));
      Program.signal(cell.remembered(), "STOP");
      cell.swapgate().outlives(A_WHILE);
    }

    @Override
    void heal(FaultCell cell) {
      Program.signal(cell.remembered(), "CONT");
    }
  },
  /** Its process is frozen: connections are accepted and nothing is answered. */
  MEDIA_HANGS("no media server answers in this step", Among.NO_MEDIA) {
    @Override
    void inject(FaultCell cell) {
      cell.remember(cell.pid());
      Program.signal(cell.remembered(), "STOP");
      if (cell.step() == Step.JOB_RUNNING) {
        cell.awaitState("stopping"); // After no_progress, by swapgate.
      } else {
        cell.swapgate().outlives(A_WHILE);
      }
    }

    @Override
    void heal(FaultCell cell) {
      if (ProcessHandle.of(cell.remembered()).isPresent()) {
        Program.signal(cell.remembered(), "CONT");
      }
    }
  },
  MEDIA_ANSWERS_500("no media server answers in this step", Among.NO_MEDIA) {
    @Override
    void inject(FaultCell cell) throws IOException {
      cell.box().fault(Place.COMFYUI, "answer:500");
      cell.swapgate().outlives(A_WHILE);
    }
  },
  MEDIA_ANSWERS_NONSENSE("no media server answers in this step", Among.NO_MEDIA) {
    @Override
    void inject(FaultCell cell) throws IOException {
      cell.box().fault(Place.COMFYUI, "answer:nonsense");
      cell.swapgate().outlives(A_WHILE);
    }
  },
  DISK_FULL_FOR_RESULTS {
    @Override
    void arm(FaultCell cell) {
      Program.run(
          "mount", "-t", "tmpfs", "-o", "size=64k", "results", cell.box().results().toString());
    }

    @Override
    void inject(FaultCell cell) throws IOException {
      Path ballast = cell.box().results().resolve("ballast");
      try {
        Files.write(ballast, new byte[1 << 20]);
        throw new AssertionError("1 MiB fits into a disk of 64 KiB");
      } catch (IOException full) {
        cell.swapgate().outlives(A_WHILE);
      }
    }

    @Override
    void heal(FaultCell cell) throws IOException {
      Files.delete(cell.box().results().resolve("ballast"));
    }
  },
  /** Nothing in it can be changed or added, not by root and not through open files either. */
  STATE_READ_ONLY {
    @Override
    void inject(FaultCell cell) {
      Program.run("chattr", "-R", "+i", cell.box().state().toString());
      if (cell.step() == Step.SERVING) {
        cell.assertSubmissionIsRefused();
      }
      cell.swapgate().outlives(A_WHILE);
    }

    @Override
    void heal(FaultCell cell) {
      Program.run("chattr", "-R", "-i", cell.box().state().toString());
    }
  };

  /** Longer than a look, a probe or a question about a job takes. */
  private static final Duration A_WHILE = Duration.ofSeconds(3);

  private final String whyNot;
  private final Set<Step> not;

  Fault() {
    this("", EnumSet.noneOf(Step.class));
  }

  Fault(String whyNot, Step not) {
    this(whyNot, EnumSet.of(not));
  }

  Fault(String whyNot, Set<Step> not) {
    this.whyNot = whyNot;
    this.not = not;
  }

  /** The reason why it cannot happen at that step. */
  Optional<String> whyNot(Step step) {
    return not.contains(step) ? Optional.of(whyNot) : Optional.empty();
  }

  /** Prepares what must be there before the swap begins. */
  void arm(FaultCell cell) throws IOException {}

  /** Does it, at the step, and returns when swapgate has met it. */
  abstract void inject(FaultCell cell) throws IOException;

  /** Undoes it; a simulator that was told of a fault hears of it no more. */
  void heal(FaultCell cell) throws IOException {
    cell.box().noFault(cell.place());
  }

  /** Whether it is done to every box on the daemon. */
  boolean isOfTheDaemon() {
    return this == DOCKERD_RESTARTED || this == DOCKERD_UNREACHABLE;
  }

  /** How long readiness may take. */
  int budgetSeconds() {
    return 30;
  }

  @Override
  public String toString() {
    return name()
        .toLowerCase(Locale.ROOT)
        .replace('_', ' ')
        .replace("swapgate told to stop", "SIGTERM");
  }

  /** Steps at which something does not happen. */
  private static final class Among {
    static final Set<Step> NO_START =
        EnumSet.complementOf(
            EnumSet.of(
                Step.STARTING_MEDIA,
                Step.MEDIA_READINESS,
                Step.STARTING_ENGINE,
                Step.PROBING_ENGINE));
    static final Set<Step> NO_READINESS =
        EnumSet.complementOf(EnumSet.of(Step.MEDIA_READINESS, Step.PROBING_ENGINE));
    static final Set<Step> NO_STOP =
        EnumSet.complementOf(EnumSet.of(Step.STOPPING_ENGINE, Step.STOPPING_MEDIA));
    static final Set<Step> NO_MEDIA =
        EnumSet.complementOf(
            EnumSet.of(Step.MEDIA_READINESS, Step.JOB_RUNNING, Step.STOPPING_MEDIA));
  }
}
