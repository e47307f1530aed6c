package dev.swapgate.backends.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.swapgate.backends.job.AceStepAdapter;
import dev.swapgate.backends.job.ComfyUiAdapter;
import dev.swapgate.backends.settings.BackendSettings;
import dev.swapgate.backends.settings.CardSettings;
import dev.swapgate.backends.settings.DockerSettings;
import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.backends.settings.ReadinessSettings;
import dev.swapgate.backends.settings.WorkshopSettings;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.CardReading;
import dev.swapgate.gate.core.CommandEnd;
import dev.swapgate.gate.core.ContainerSighting;
import dev.swapgate.gate.core.ProbeResult;
import dev.swapgate.gate.port.BackendException;
import dev.swapgate.gate.port.Containers;
import dev.swapgate.gate.port.Inside;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class WorkshopTest {
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Docker is another room's affair: here it only has to be closed. */
  private final class NoContainers implements Containers {
    @Override
    public ContainerSighting look(String container) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CommandEnd start(String container, Duration deadline) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CommandEnd stop(String container, Duration grace, Duration deadline) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CommandEnd kill(String container, Duration deadline) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Inside inside() {
      throw new UnsupportedOperationException("no commands are run inside these containers");
    }

    @Override
    public List<String> lastLogLines(String container, int lines) {
      throw new UnsupportedOperationException();
    }

    @Override
    public AutoCloseable watch(Consumer<Hint> hint) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
      closed.set(true);
    }
  }

  private static BackendSettings backend(String name) {
    return new BackendSettings(
        new Backend.Id(name),
        name,
        URI.create("http://127.0.0.1:1"),
        new ReadinessSettings("/", Set.of(200), "", Map.of(), Duration.ofSeconds(5)));
  }

  private static final WorkshopSettings SETTINGS =
      new WorkshopSettings(
          new DockerSettings(URI.create("unix:///nowhere.sock")),
          new CardSettings(OptionalInt.empty(), Optional.empty(), "no-such-program-here"),
          List.of(backend("vllm")),
          List.of(
              new MediaSettings(backend("comfyui"), MediaSettings.Type.COMFYUI, "", 1),
              new MediaSettings(backend("music"), MediaSettings.Type.ACE_STEP, "", 1)));

  private Workshop workshop() {
    return new Workshop(SETTINGS, new NoContainers());
  }

  @Test
  void hasAnAdapterForEachMediaBackendByItsType() {
    assertThat(workshop().adapters())
        .hasSize(2)
        .hasEntrySatisfying(
            new Backend.Id("comfyui"), it -> assertThat(it).isInstanceOf(ComfyUiAdapter.class))
        .hasEntrySatisfying(
            new Backend.Id("music"), it -> assertThat(it).isInstanceOf(AceStepAdapter.class));
  }

  @Test
  void probesEnginesAndMediaAlike() {
    for (String name : List.of("vllm", "comfyui", "music")) {
      assertThat(workshop().probe().probe(new Backend.Id(name)))
          .isEqualTo(new ProbeResult.NotReady("connection refused"));
    }
  }

  @Test
  void asksNobodyUntilItIsAsked() {
    assertThat(workshop().meter().read()).isInstanceOf(CardReading.NoTool.class);
    assertThat(workshop().card()).isEmpty();
  }

  @Test
  void closesItsContainers() {
    workshop().close();

    assertThat(closed).isTrue();
  }

  @Test
  void opensThoughTheDaemonCannotBeReached() {
    try (Workshop opened = Workshop.open(SETTINGS)) {
      assertThatThrownBy(() -> opened.containers().look("vllm"))
          .isInstanceOf(BackendException.class);
    }
  }
}
