package dev.swapgate.proxy.app;

import dev.swapgate.backends.docker.DockerContainers;
import dev.swapgate.backends.gpu.NvidiaSmiMeter;
import dev.swapgate.backends.settings.CardSettings;
import dev.swapgate.backends.settings.DockerSettings;
import dev.swapgate.gate.core.CardReading;
import dev.swapgate.gate.port.BackendException;
import dev.swapgate.proxy.init.Answers;
import dev.swapgate.proxy.init.Draft;
import java.net.URI;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Looks at this box for a first {@code swapgate.yaml}; changes nothing. */
public final class LocalInit {

  private LocalInit() {}

  /**
   * Blocks for as long as Docker, the card's tool and the servers that run take to answer.
   *
   * @throws StartException when the daemon cannot be asked
   */
  public static Draft draft(URI docker) {
    try (DockerContainers containers = new DockerContainers(new DockerSettings(docker))) {
      return Draft.ofBox(
          containers.names().stream().map(containers::details).flatMap(Optional::stream).toList(),
          Answers.overHttp(),
          cardMib(),
          docker.toString());
    } catch (BackendException e) {
      throw new StartException(
          StartException.UNAVAILABLE,
          e.getMessage() + "; is Docker running, and may you use its socket?",
          e);
    }
  }

  private static OptionalLong cardMib() {
    CardSettings largest = new CardSettings(OptionalInt.empty(), Optional.empty(), "nvidia-smi");
    return new NvidiaSmiMeter(largest).read() instanceof CardReading.Sample sample
        ? OptionalLong.of(sample.totalMib())
        : OptionalLong.empty();
  }
}
