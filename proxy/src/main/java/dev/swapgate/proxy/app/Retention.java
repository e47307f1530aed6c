package dev.swapgate.proxy.app;

import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.port.JobStore;
import dev.swapgate.gate.runtime.SteadyClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forgets what is older than {@code limits.results_keep}: ended jobs, their results, and files that
 * went along with them. A file nobody knows is left alone for a day: its job may be on its way.
 */
final class Retention implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Retention.class);
  private static final Duration EVERY = Duration.ofHours(6);
  private static final Duration UPLOAD_GRACE = Duration.ofDays(1);

  private final JobStore store;
  private final Path results;
  private final Path uploads;
  private final Supplier<Duration> keep;
  private final SteadyClock clock;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("swapgate-retention").factory());

  Retention(
      JobStore store, Path results, Path uploads, Supplier<Duration> keep, SteadyClock clock) {
    this.store = store;
    this.results = results;
    this.uploads = uploads;
    this.keep = keep;
    this.clock = clock;
  }

  /** Begins, with a round at once. */
  Retention start() {
    var unused = timer.scheduleWithFixedDelay(this::round, 0, EVERY.toSeconds(), TimeUnit.SECONDS);
    return this;
  }

  private void round() {
    try {
      forget();
    } catch (IOException | RuntimeException e) {
      LOG.warn("old results could not all be removed; tried again in {} h", EVERY.toHours(), e);
    }
  }

  /** One round. */
  void forget() throws IOException {
    Instant now = clock.now().wall();
    List<Job.Id> forgotten = store.forgetBefore(now.minus(keep.get()));
    for (Job.Id job : forgotten) {
      remove(results.resolve(job.value()));
    }
    if (!forgotten.isEmpty()) {
      LOG.info("retention forgotten={} keep={}", forgotten.size(), keep.get());
    }
    removeUnknownUploads(now.minus(UPLOAD_GRACE));
  }

  private void removeUnknownUploads(Instant before) throws IOException {
    if (!Files.isDirectory(uploads)) {
      return;
    }
    Set<Path> known = knownUploads();
    try (Stream<Path> folders = Files.list(uploads)) {
      for (Path folder : folders.toList()) {
        boolean old = Files.getLastModifiedTime(folder).toInstant().isBefore(before);
        if (old && !known.contains(folder.toAbsolutePath().normalize())) {
          remove(folder);
        }
      }
    }
  }

  private Set<Path> knownUploads() {
    Set<Path> known = new HashSet<>();
    for (Job job : store.jobs(List.of(Job.State.values()), Integer.MAX_VALUE)) {
      for (JobRequest.Attachment file :
          store.request(job.id()).map(JobRequest::attachments).orElse(List.of())) {
        Path folder = Path.of(file.path()).toAbsolutePath().normalize().getParent();
        if (folder != null) {
          known.add(folder);
        }
      }
    }
    return known;
  }

  private static void remove(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
