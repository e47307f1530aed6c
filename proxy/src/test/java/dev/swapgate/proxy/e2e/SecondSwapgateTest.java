package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two swapgates, each a process of its own, with the same containers in their files. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class SecondSwapgateTest {
  @TempDir Path folder;

  @Test
  void isRefusedBeforeItTouchesAnything() throws Exception {
    try (FakeBox box = new FakeBox(folder, Map.of());
        CommandLine first = box.serve();
        AdminApi admin = new AdminApi(box.admin(), first::said)) {

      CommandLine.End second = CommandLine.run(folder, box.otherConfig(), "serve");

      assertThat(second.exitCode()).as(second.said()).isEqualTo(69);
      assertThat(second.said())
          .contains("another swapgate (process " + first.pid())
          .contains("state folder " + folder.resolve("state"))
          .contains("the container comfyui of Docker at " + box.docker().address());
      assertThat(folder.resolve("other/swapgate.db")).doesNotExist();
      assertThat(admin.status().path("chat_open").asBoolean()).isTrue();

      CommandLine.End check = CommandLine.run(folder, box.otherConfig(), "check");
      assertThat(check.exitCode()).as(check.said()).isEqualTo(1);
      assertThat(check.said())
          .contains("swapgate does not run; looked without it")
          .contains("problem: another swapgate (process " + first.pid())
          .contains("mend: kill " + first.pid());

      // The kernel gives the locks of a killed process back.
      first.kill();
      try (CommandLine next = CommandLine.serve(folder, box.otherConfig(), box.otherAdmin());
          AdminApi other = new AdminApi(box.otherAdmin(), next::said)) {
        other.awaitChat(Place.VLLM);
      }
    }
  }
}
