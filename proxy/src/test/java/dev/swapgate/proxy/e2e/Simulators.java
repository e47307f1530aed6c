package dev.swapgate.proxy.e2e;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.dockerjava.api.DockerClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.testcontainers.DockerClientFactory;

/** What these tests need of the machine: free ports, and where real containers run, the image. */
final class Simulators {
  static final String IMAGE = "swapgate/sim:local";

  private Simulators() {}

  /** Skips the test where no daemon answers; where one does, a missing image is built. */
  static void assumeThere() throws Exception {
    assumeTrue(DockerClientFactory.instance().isDockerAvailable(), "no Docker daemon answers");
    DockerClient docker = DockerClientFactory.instance().client();
    if (docker.listImagesCmd().withFilter("reference", List.of(IMAGE)).exec().isEmpty()) {
      Program.run(checkout().resolve("scripts/build-images").toString());
    }
  }

  /** So many different ports of this machine that nobody listens on. */
  static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return sockets.stream().map(ServerSocket::getLocalPort).toList();
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }

  /** The top folder of the sources. */
  static Path checkout() {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.isExecutable(at.resolve("scripts/pretend/nvidia-smi"))) {
        return at;
      }
    }
    throw new IllegalStateException("no scripts/pretend/nvidia-smi at or above the working folder");
  }
}
