package dev.swapgate.proxy.app;

import dev.swapgate.backends.catalog.Workshop;
import dev.swapgate.backends.docker.DockerContainers;
import dev.swapgate.backends.prefetch.FreeMemory;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.port.BackendException;
import dev.swapgate.proxy.admin.Finding;
import dev.swapgate.proxy.check.PrefetchCheck;
import dev.swapgate.proxy.check.Preflight;
import dev.swapgate.proxy.config.SwapgateConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The preflight without a swapgate that runs: before the first start, for instance. */
public final class LocalCheck {

  private LocalCheck() {}

  /** One finding, as it is on the wire. */
  public record Found(
      String id, String severity, String backend, String what, String why, String mend) {
    private static Found of(Finding one) {
      return new Found(
          one.id(), one.severity().word(), one.backend(), one.what(), one.why(), one.mend());
    }
  }

  /**
   * Looks, and changes nothing. Blocks.
   *
   * @throws StartException when the daemon's address cannot be used
   */
  public static List<Found> findings(SwapgateConfig read) {
    SwapgateConfig config = FallbackFindings.withKnownProfiles(read);
    try (DockerContainers docker = new DockerContainers(config.workshop().docker());
        Workshop workshop = new Workshop(config.workshop(), docker)) {
      return new Preflight(
              config.box(),
              config.workshop(),
              config.models(),
              config.doors(),
              new AskedDaemon(docker),
              workshop.meter(),
              workshop.probe(),
              new KnownToNobody(config, new FreeMemory(workshop.host())))
          .findings().stream().map(Found::of).toList();
    } catch (BackendException e) {
      throw new StartException(
          StartException.BAD_CONFIGURATION,
          "docker.host in swapgate.yaml cannot be used: " + e.getMessage(),
          e);
    }
  }

  private record KnownToNobody(SwapgateConfig config, FreeMemory memory)
      implements Preflight.Known {
    @Override
    public Backend.Id selected() {
      return config.box().selected();
    }

    @Override
    public Optional<Duration> stopTime(Backend.Id backend) {
      return Optional.empty();
    }

    @Override
    public List<Finding> found() {
      List<Finding> found = new ArrayList<>(FallbackFindings.of(config.fallback()));
      found.addAll(PrefetchCheck.findings(config.prefetch(), memory.most()));
      found.addAll(
          ContainerLocks.findings(
              ContainerLocks.taken(
                  ContainerLocks.FOLDERS,
                  config.workshop().docker().host(),
                  config.box().backends().stream().map(Backend::container).toList())));
      return found;
    }
  }
}
