package dev.swapgate.backends.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.core.DefaultDockerClientConfig;
import com.github.dockerjava.core.DockerClientConfig;
import com.github.dockerjava.core.DockerClientImpl;
import com.github.dockerjava.zerodep.ZerodepDockerHttpClient;
import dev.swapgate.gate.port.BackendException;
import java.net.URI;
import java.time.Duration;

/**
 * Where the daemon answers, and the clients to ask it with: a fresh one for each call.
 *
 * <p>No API version is sent: the daemon then speaks its own, which works from 1.41 (Docker 20.10)
 * to 1.52 (Docker 29); any fixed version is refused by one end of that range.
 */
final class DockerHost {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  private final URI address;
  private final DockerClientConfig config;

  DockerHost(URI address) {
    this.address = address;
    String scheme = address.getScheme() == null ? "" : address.getScheme();
    if (!scheme.equals("unix") && !scheme.equals("tcp")) {
      throw new BackendException(
          "Docker's address "
              + address
              + " is neither unix:///path/to/docker.sock nor tcp://host:port: correct docker.host");
    }
    // Only what is written here counts: no DOCKER_* variable, no file in the home folder.
    this.config =
        new OneMapper(
            new DefaultDockerClientConfig.Builder()
                .withDockerHost(address.toString())
                .withDockerTlsVerify(false)
                .build());
  }

  /** A client for what may be asked twice without harm. */
  DockerClient forReads() {
    return DockerClientImpl.getInstance(
        config,
        new ZerodepDockerHttpClient.Builder()
            .dockerHost(address)
            .connectionTimeout(CONNECT_TIMEOUT)
            .build());
  }

  /** A client for one command: it sends its request once, whatever comes back. */
  DockerClient forOneCommand() {
    return DockerClientImpl.getInstance(config, new OneShotTransport(address));
  }

  @Override
  public String toString() {
    return address.toString();
  }
}
