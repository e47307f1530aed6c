package dev.swapgate.proxy.app;

import dev.swapgate.backends.catalog.Workshop;
import dev.swapgate.backends.docker.DockerContainers;
import dev.swapgate.backends.prefetch.FreeMemory;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.port.BackendException;
import dev.swapgate.gate.port.CommandNotes;
import dev.swapgate.gate.port.JobStore;
import dev.swapgate.gate.runtime.GateThread;
import dev.swapgate.gate.runtime.Ports;
import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.gate.store.NotesFile;
import dev.swapgate.gate.store.SqliteJobStore;
import dev.swapgate.proxy.admin.AdminToken;
import dev.swapgate.proxy.admin.Finding;
import dev.swapgate.proxy.check.Preflight;
import dev.swapgate.proxy.config.SwapgateConfig;
import dev.swapgate.proxy.http.Listener;
import dev.swapgate.proxy.metrics.Metrics;
import dev.swapgate.proxy.metrics.TimedContainers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From a checked configuration to a running swapgate: first what may be refused (the state folder,
 * the containers, the store, the ports), then what acts on the world. What was started is stopped
 * again when a later part cannot start. A Docker daemon that does not answer is no reason not to
 * start: it is waited for.
 */
public final class Assembly {
  private static final Logger LOG = LoggerFactory.getLogger(Assembly.class);

  private final LiveConfig live;
  private final SwapgateConfig config;
  private final SteadyClock clock = SteadyClock.system();
  private final Running running = new Running();
  private final CompletableFuture<Integer> end = new CompletableFuture<>();

  private Assembly(LiveConfig live) {
    this.live = live;
    this.config = live.get();
  }

  /** As {@link #start(Supplier)}, of a configuration that stays as it is. */
  public static RunningSwapgate start(SwapgateConfig config) {
    return start(() -> config);
  }

  /**
   * Starts everything and returns; whoever called closes what is returned.
   *
   * @param file reads and checks the configuration, now and each time it is to be read again
   * @throws StartException when it cannot start, with the exit code that fits
   */
  public static RunningSwapgate start(Supplier<SwapgateConfig> file) {
    Assembly assembly =
        new Assembly(new LiveConfig(() -> FallbackFindings.withKnownProfiles(file.get())));
    try {
      return assembly.start();
    } catch (RuntimeException e) {
      assembly.running.closeBecause(e);
      throw e;
    }
  }

  private RunningSwapgate start() {
    Path stateDir = config.stateDir();
    running.add("the lock of the state folder", StateLock.take(stateDir));
    ContainerLocks locks =
        running.add(
            "the locks of the containers",
            ContainerLocks.take(
                ContainerLocks.FOLDERS,
                config.workshop().docker().host(),
                config.box().backends().stream().map(Backend::container).toList(),
                stateDir));
    String token = token();
    makeResultsDir();
    JobStore store = running.add("the job store", openStore(stateDir.resolve("swapgate.db")));
    CommandNotes notes =
        running.add("the command notes", openNotes(stateDir.resolve("commands.notes")));
    DockerContainers docker = docker();
    Metrics metrics = new Metrics();
    Workshop workshop =
        running.add(
            "the workshop",
            new Workshop(config.workshop(), new TimedContainers(docker, clock, metrics)));
    GateThread gate = gate(workshop, store, notes);
    ExecutorService executor = adminThreads();
    running.add("the admin threads", executor::shutdownNow);
    Preflight.Known known =
        new KnownToGate(gate, store, locks, live, new FreeMemory(workshop.host()));
    Supplier<List<Finding>> check = () -> preflight(docker, workshop, known).findings();
    Observers observers =
        running.add(
            "the observers", Observers.of(live, clock, gate, store, metrics, workshop.host()));
    Routes routes =
        new Routes(live, clock, gate, store, workshop, check, executor, token, observers);
    running.add("the admin routes", routes);
    Listener admin =
        running.add(
            "the admin listener", HttpServer.openAdmin(config.admin().listen(), routes.admin()));
    Listener chat =
        running.add("the chat listener", HttpServer.openChat(config.listen(), routes.chat()));
    running.add(
        "the doors of media servers",
        Doors.open(config, clock, gate, workshop, executor, routes.tally()));
    config
        .metricsListen()
        .ifPresent(
            address ->
                running.add(
                    "the metrics listener",
                    HttpServer.openMetrics(address, observers.metricsSite(executor))));
    running.add("answers of fallback providers", routes::endFallback);
    running.add(
        "retention",
        new Retention(
                store,
                config.resultsDir(),
                routes.uploads(),
                () -> live.get().limits().resultsKeep(),
                clock)
            .start());
    live.appliedBy(
        (changed, what) -> {
          routes.reconfigure(changed);
          gate.reconfigure(changed.box(), what).toCompletableFuture().join();
        });
    gate.start();
    // Stopped first: nobody is admitted and nothing is decided while the rest goes down.
    running.add("the gate", () -> gate.leave(RunningSwapgate.STREAMS));
    LOG.info(
        "swapgate serves chat={} admin={} state_dir={} selected={}; SIGTERM ends it within {} s",
        chat.address(),
        admin.address(),
        stateDir,
        gate.view().selected(),
        RunningSwapgate.WHOLE.toSeconds());
    executor.execute(() -> firstLook(routes, check, executor));
    return new RunningSwapgate(chat.address(), admin.address(), gate, live::reload, running, end);
  }

  private Preflight preflight(DockerContainers docker, Workshop workshop, Preflight.Known known) {
    SwapgateConfig now = live.get();
    return new Preflight(
        now.box(),
        now.workshop(),
        now.models(),
        now.doors(),
        new AskedDaemon(docker),
        workshop.meter(),
        workshop.probe(),
        known);
  }

  private String token() {
    Path file = config.tokenFile();
    try {
      return AdminToken.readOrCreate(file);
    } catch (IOException e) {
      throw new StartException(
          StartException.BAD_CONFIGURATION,
          "the admin token " + file + " cannot be made or read: " + e.getMessage(),
          e);
    }
  }

  private void makeResultsDir() {
    try {
      Files.createDirectories(config.resultsDir());
      if (!Files.isWritable(config.resultsDir())) {
        throw new IOException("it is not writable");
      }
    } catch (IOException e) {
      throw new StartException(
          StartException.BAD_CONFIGURATION,
          "the results folder "
              + config.resultsDir()
              + " cannot be made or written ("
              + e
              + "); let it belong to the user that runs swapgate, or name another one under"
              + " results_dir",
          e);
    }
  }

  private static JobStore openStore(Path file) {
    try {
      return SqliteJobStore.open(file);
    } catch (JobStore.StoreException e) {
      throw new StartException(StartException.UNAVAILABLE, String.valueOf(e.getMessage()), e);
    }
  }

  private CommandNotes openNotes(Path file) {
    try {
      return NotesFile.open(file, config.box().backends().stream().map(Backend::id).toList());
    } catch (JobStore.StoreException e) {
      throw new StartException(StartException.UNAVAILABLE, String.valueOf(e.getMessage()), e);
    }
  }

  private DockerContainers docker() {
    try {
      return new DockerContainers(config.workshop().docker());
    } catch (BackendException e) {
      throw new StartException(
          StartException.BAD_CONFIGURATION,
          "docker.host in swapgate.yaml cannot be used: " + e.getMessage(),
          e);
    }
  }

  private GateThread gate(Workshop workshop, JobStore store, CommandNotes notes) {
    Ports ports =
        new Ports(
            workshop.containers(),
            workshop.probe(),
            workshop.meter(),
            workshop.adapters(),
            store,
            notes,
            config.resultsDir());
    return new GateThread(config.box(), ports, clock, () -> end.complete(RunningSwapgate.INTERNAL));
  }

  private static ExecutorService adminThreads() {
    return Executors.newThreadPerTaskExecutor(
        Thread.ofVirtual().name("swapgate-admin-", 0).factory());
  }

  /** What takes its time, after the doors are open. */
  private static void firstLook(
      Routes routes, Supplier<List<Finding>> check, ExecutorService executor) {
    routes.surroundings().learnCardName();
    List<Finding> findings = check.get();
    if (executor.isShutdown()) {
      return; // Interrupted while asking: what was found means nothing.
    }
    for (Finding finding : findings) {
      String line = "check id={} backend={} what=\"{}\" why=\"{}\" mend=\"{}\"";
      Object[] fields = {
        finding.id(), finding.backend(), finding.what(), finding.why(), finding.mend()
      };
      switch (finding.severity()) {
        case PROBLEM, WARNING -> LOG.warn(line, fields);
        case NOTE -> LOG.info(line, fields);
      }
    }
  }
}
