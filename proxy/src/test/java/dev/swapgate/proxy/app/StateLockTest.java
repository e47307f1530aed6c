package dev.swapgate.proxy.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateLockTest {
  @TempDir Path folder;

  @Test
  void refusesASecondSwapgateAndNamesTheFirst() throws Exception {
    Path stateDir = folder.resolve("state");
    try (LockFile first = StateLock.take(stateDir)) {
      assertThatThrownBy(() -> StateLock.take(stateDir))
          .isInstanceOf(StartException.class)
          .hasMessageContaining("process " + ProcessHandle.current().pid())
          .hasMessageContaining(stateDir.toString())
          .extracting(e -> ((StartException) e).exitCode(), InstanceOfAssertFactories.INTEGER)
          .isEqualTo(69);
    }
    StateLock.take(stateDir).close();
  }

  @Test
  void keepsTheFolderFromOthers() throws Exception {
    Path stateDir = folder.resolve("state");

    StateLock.take(stateDir).close();

    assertThat(Files.getPosixFilePermissions(stateDir)).hasSize(3);
  }

  @Test
  void saysThatTheFolderCannotBeUsed() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");

    assertThatThrownBy(() -> StateLock.take(file.resolve("state")))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("state_dir")
        .extracting(e -> ((StartException) e).exitCode(), InstanceOfAssertFactories.INTEGER)
        .isEqualTo(78);
  }
}
