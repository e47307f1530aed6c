package dev.swapgate.backends.catalog;

import dev.swapgate.backends.docker.DockerContainers;
import dev.swapgate.backends.generic.ExecAdapter;
import dev.swapgate.backends.generic.InsideAdapter;
import dev.swapgate.backends.generic.SubmitPollFetchAdapter;
import dev.swapgate.backends.generic.SyncHttpAdapter;
import dev.swapgate.backends.gpu.CardFacts;
import dev.swapgate.backends.gpu.NvidiaSmiMeter;
import dev.swapgate.backends.gpu.OshiHost;
import dev.swapgate.backends.job.AceStepAdapter;
import dev.swapgate.backends.job.ComfyUiAdapter;
import dev.swapgate.backends.probe.HttpReadinessProbe;
import dev.swapgate.backends.settings.BackendSettings;
import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.backends.settings.WorkshopSettings;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.port.Containers;
import dev.swapgate.gate.port.GpuMeter;
import dev.swapgate.gate.port.JobAdapter;
import dev.swapgate.gate.port.ReadinessProbe;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Everything the gate asks the world with, for one box. Building it asks nobody anything: a daemon,
 * a card or a server that is not there shows when it is asked. Thread-safe.
 */
public final class Workshop implements AutoCloseable {
  private final Containers containers;
  private final ReadinessProbe probe;
  private final NvidiaSmiMeter meter;
  private final OshiHost host = new OshiHost();
  private final Map<Backend.Id, JobAdapter> adapters;

  /**
   * @param containers closed with the workshop
   */
  public Workshop(WorkshopSettings settings, Containers containers) {
    this.containers = containers;
    List<BackendSettings> backends =
        Stream.concat(
                settings.engines().stream(), settings.media().stream().map(MediaSettings::backend))
            .toList();
    this.probe = new HttpReadinessProbe(backends);
    this.meter = new NvidiaSmiMeter(settings.card());
    this.adapters =
        settings.media().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    media -> media.backend().id(), media -> adapter(media, containers)));
  }

  /** With the containers of the daemon that the settings name. */
  public static Workshop open(WorkshopSettings settings) {
    return new Workshop(settings, new DockerContainers(settings.docker()));
  }

  private static JobAdapter adapter(MediaSettings media, Containers containers) {
    return switch (media.type()) {
      case MediaSettings.Type.ComfyUi comfyUi -> new ComfyUiAdapter(media);
      case MediaSettings.Type.AceStep aceStep -> new AceStepAdapter(media);
      case MediaSettings.Type.OneCall call -> new SyncHttpAdapter(media, call);
      case MediaSettings.Type.Exits exits ->
          exits.isInside()
              ? new InsideAdapter(media, exits, containers)
              : new ExecAdapter(media, exits, containers);
      case MediaSettings.Type.Steps steps -> new SubmitPollFetchAdapter(media, steps);
    };
  }

  public Containers containers() {
    return containers;
  }

  public ReadinessProbe probe() {
    return probe;
  }

  public GpuMeter meter() {
    return meter;
  }

  /** One for each media backend. */
  public Map<Backend.Id, JobAdapter> adapters() {
    return adapters;
  }

  /** What the card is; empty when the tool does not tell. Runs the tool: may take seconds. */
  public Optional<CardFacts> card() {
    return meter.facts();
  }

  /** The host's own view, for display. */
  public OshiHost host() {
    return host;
  }

  @Override
  public void close() {
    containers.close();
  }
}
