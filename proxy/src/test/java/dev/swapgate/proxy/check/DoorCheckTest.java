package dev.swapgate.proxy.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.backends.docker.ContainerDetails.PublishedPort;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.proxy.admin.Finding;
import dev.swapgate.proxy.admin.Finding.Severity;
import dev.swapgate.proxy.config.SwapgateConfig.Address;
import dev.swapgate.proxy.config.SwapgateConfig.Door;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A door and a container that want the same port. */
class DoorCheckTest {
  private static final Backend.Id COMFYUI = new Backend.Id("comfyui");

  private static List<Finding> findings(String host, PublishedPort port) {
    Sight sight =
        new Sight(
            Made.settings(COMFYUI, "comfy-box", URI.create("http://127.0.0.1:18188")),
            false,
            Optional.of(
                Made.with("comfy-box", "exited", false, "no", List.of(port), List.of("python"))));
    Door door = new Door(COMFYUI, new Address(host, 8188), Duration.ofMinutes(10));
    return DoorCheck.findings(List.of(door), List.of(sight));
  }

  @Test
  void theContainerIsToBePublishedElsewhere() {
    Finding finding = findings("127.0.0.1", new PublishedPort("8188/tcp", "", "8188")).getFirst();

    assertThat(finding.id()).isEqualTo("door_port_taken");
    assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
    assertThat(finding.what()).contains("comfy-box", "8188", "media.comfyui.door");
    assertThat(finding.mend())
        .contains("127.0.0.1:18188:8188", "media.comfyui.url", "docker compose create comfy-box");
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, 127.0.0.1, 8188, true",
    "127.0.0.1, 0.0.0.0, 8188, true",
    "localhost, 127.0.0.1, 8188, true",
    "127.0.0.1, 127.0.0.1, 18188, false",
    "127.0.0.1, 192.168.1.5, 8188, false",
    "127.0.0.1, '', 18188, false"
  })
  void onlyTheSamePlaceClashes(String door, String hostIp, String port, boolean clash) {
    assertThat(findings(door, new PublishedPort("8188/tcp", hostIp, port))).hasSize(clash ? 1 : 0);
  }

  @Test
  void aDoorToTheStreetIsTold() {
    assertThat(findings("0.0.0.0", new PublishedPort("8188/tcp", "127.0.0.1", "18188")))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.id()).isEqualTo("door_beyond_loopback");
              assertThat(finding.severity()).isEqualTo(Severity.NOTE);
            });
  }
}
