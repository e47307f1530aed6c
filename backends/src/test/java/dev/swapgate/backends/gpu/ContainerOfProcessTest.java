package dev.swapgate.backends.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContainerOfProcessTest {
  private static final String ID = "0123456789abcdef".repeat(4);

  @TempDir private Path processes;

  private String containerOf(String cgroup) throws IOException {
    Path process = Files.createDirectories(processes.resolve("42"));
    Files.writeString(process.resolve("cgroup"), cgroup);
    return new ContainerOfProcess(processes).containerId(42);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0::/system.slice/docker-%s.scope\n",
        "0::/docker/%s\n",
        "0::/../%s\n",
        "12:pids:/docker/%s\n11:memory:/docker/%s\n0::/system.slice/containerd.service\n",
        "0::/system.slice:docker:cri-containerd:%s\n",
        "0::/kubepods.slice/kubepods-pod1.slice/cri-containerd-%s.scope\n",
        "0::/user.slice/user-1000.slice/user@1000.service/user.slice/docker-%s.scope\n",
      })
  void findsTheIdInEveryDress(String form) throws IOException {
    assertThat(containerOf(form.replace("%s", ID))).isEqualTo(ID);
  }

  @Test
  void takesTheInnermostOfNestedContainers() throws IOException {
    String inner = "f".repeat(64);

    assertThat(containerOf("0::/docker/" + ID + "/docker/" + inner + "\n")).isEqualTo(inner);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0::/\n", "0::/user.slice/session-3.scope\n", "", "0::/docker/0123456789ab\n"})
  void findsNoneOutsideAContainer(String form) throws IOException {
    assertThat(containerOf(form)).isEmpty();
  }

  @Test
  void findsNoneForAProcessThatIsGone() {
    assertThat(new ContainerOfProcess(processes).containerId(43)).isEmpty();
  }
}
