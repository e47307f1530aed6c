package dev.swapgate.proxy.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerLocksTest {
  private static final Path STATE = Path.of("/first/state");

  @TempDir Path folder;
  private Path run;
  private Path tmp;
  private URI docker;

  @BeforeEach
  void makesFolders() throws Exception {
    run = Files.createDirectory(folder.resolve("run"));
    tmp = Files.createDirectory(folder.resolve("tmp"));
    docker = URI.create("unix://" + folder.resolve("docker.sock"));
  }

  @Test
  void namesWhoCommandsTheContainer() throws Exception {
    try (ContainerLocks first = take(List.of(run), docker, "vllm", "comfyui")) {
      assertThatThrownBy(() -> take(List.of(run), docker, "ninfer", "vllm"))
          .isInstanceOf(StartException.class)
          .hasMessageContaining("process " + ProcessHandle.current().pid())
          .hasMessageContaining(STATE.toString())
          .hasMessageContaining("the container vllm of Docker at " + docker)
          .extracting(e -> ((StartException) e).exitCode(), InstanceOfAssertFactories.INTEGER)
          .isEqualTo(69);
      assertThat(ContainerLocks.taken(List.of(run), docker, List.of("ninfer", "vllm")))
          .extracting(ContainerLocks.Taken::container)
          .containsExactly("vllm");
    }
    assertThat(ContainerLocks.taken(List.of(run), docker, List.of("vllm"))).isEmpty();
  }

  @Test
  void aRefusalLeavesNothingLocked() throws Exception {
    try (ContainerLocks first = take(List.of(run), docker, "vllm")) {
      assertThatThrownBy(() -> take(List.of(run), docker, "comfyui", "vllm"))
          .isInstanceOf(StartException.class);
      take(List.of(run), docker, "comfyui").close();
    }
    take(List.of(run), docker, "comfyui", "vllm").close();
  }

  @Test
  void otherContainersAndOtherDaemonsAreNobodysConcern() throws Exception {
    URI other = URI.create("unix://" + folder.resolve("other.sock"));
    URI remote = URI.create("tcp://10.0.0.2:2375");

    try (ContainerLocks first = take(List.of(run), docker, "vllm");
        ContainerLocks second = take(List.of(run), docker, "ninfer");
        ContainerLocks third = take(List.of(run), other, "vllm");
        ContainerLocks fourth = take(List.of(run), remote, "vllm")) {
      assertThat(List.of(first, second, third, fourth)).doesNotHaveDuplicates();
    }
  }

  @Test
  void oneDaemonIsKnownByEveryNameOfItsSocket() throws Exception {
    Files.createSymbolicLink(folder.resolve("link"), folder);
    URI sameSocket = URI.create("unix://" + folder.resolve("link/docker.sock"));

    try (ContainerLocks first = take(List.of(run), docker, "vllm")) {
      assertThatThrownBy(() -> take(List.of(run), sameSocket, "vllm"))
          .isInstanceOf(StartException.class);
    }
  }

  @Test
  void oneFolderInCommonIsEnough() throws Exception {
    Path missing = folder.resolve("missing");
    try (ContainerLocks first = take(List.of(missing, tmp), docker, "vllm")) {
      assertThatThrownBy(() -> take(List.of(run, tmp), docker, "vllm"))
          .isInstanceOf(StartException.class);
    }
  }

  @Test
  void startsWhereNoFolderCanBeUsed() throws Exception {
    take(List.of(folder.resolve("missing")), docker, "vllm").close();
  }

  @Test
  void everyUserCanSeeThatAFileIsLocked() throws Exception {
    take(List.of(run), docker, "vllm").close();

    try (var files = Files.list(run)) {
      Path file = files.findFirst().orElseThrow();
      assertThat(Files.getPosixFilePermissions(file)).hasSize(6);
    }
  }

  @Test
  void followsNoLinkThatSomebodyPutInItsWay() throws Exception {
    take(List.of(run), docker, "vllm").close();
    Path file;
    try (var files = Files.list(run)) {
      file = files.findFirst().orElseThrow();
    }
    Path precious = Files.writeString(folder.resolve("precious"), "text");
    Files.delete(file);
    Files.createSymbolicLink(file, precious);

    take(List.of(run), docker, "vllm").close();

    assertThat(precious).hasContent("text");
  }

  private static ContainerLocks take(List<Path> folders, URI docker, String... containers) {
    return ContainerLocks.take(folders, docker, List.of(containers), STATE);
  }
}
