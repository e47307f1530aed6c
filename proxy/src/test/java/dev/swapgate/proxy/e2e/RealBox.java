package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.proxy.app.Assembly;
import dev.swapgate.proxy.config.ConfigLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** What tests on real containers have in common: a box, and swapgate before it. */
abstract class RealBox {
  @TempDir Path folder;
  PretendBox box;
  AdminApi admin;
  private AutoCloseable swapgate;

  @BeforeAll
  static void needsDocker() throws Exception {
    Simulators.assumeThere();
  }

  /** The containers, of which one engine runs. */
  void open(Duration ninferLoads) throws Exception {
    box = new PretendBox(folder, ninferLoads);
    box.start(Place.VLLM, "/health");
  }

  /** swapgate within this process, until chat is served. */
  void serveHere(Path config) throws Exception {
    swapgate = Assembly.start(new ConfigLoader(Map.of()).load(config));
    admin = new AdminApi(box.admin());
    admin.awaitChat(Place.VLLM);
  }

  /** swapgate as a process of its own, which may be killed. */
  void serve(Path config) throws Exception {
    CommandLine served = CommandLine.serve(folder, config, box.admin());
    swapgate = served;
    admin = new AdminApi(box.admin(), served::said);
  }

  /** Ends swapgate; one that is a process of its own without warning. */
  void endSwapgate() throws Exception {
    if (swapgate != null) {
      swapgate.close();
      admin.close();
      swapgate = null;
    }
  }

  @AfterEach
  void takesAllDown() throws Exception {
    endSwapgate();
    if (box != null) {
      box.close();
    }
  }

  /** Nobody ever claimed the card while another had it, nor in vain. */
  void assertOneAtATime() {
    assertThat(box.journal().failedClaims()).isEmpty();
    assertThat(box.journal().overlaps()).isEmpty();
  }
}
