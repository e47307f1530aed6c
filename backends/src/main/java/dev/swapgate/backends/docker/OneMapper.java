package dev.swapgate.backends.docker;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.dockerjava.api.model.AuthConfig;
import com.github.dockerjava.api.model.AuthConfigurations;
import com.github.dockerjava.core.DockerClientConfig;
import com.github.dockerjava.core.RemoteApiVersion;
import com.github.dockerjava.core.SSLConfig;
import java.net.URI;

/**
 * A configuration with one reader of Docker's answers. The library's own makes a new one for each
 * call, which then learns every class of an answer anew: several times the cost of the call.
 * Immutable.
 */
record OneMapper(DockerClientConfig config, ObjectMapper mapper) implements DockerClientConfig {

  OneMapper(DockerClientConfig config) {
    this(config, config.getObjectMapper());
  }

  @Override
  public ObjectMapper getObjectMapper() {
    return mapper;
  }

  @Override
  public URI getDockerHost() {
    return config.getDockerHost();
  }

  @Override
  public RemoteApiVersion getApiVersion() {
    return config.getApiVersion();
  }

  @Override
  public String getRegistryUsername() {
    return config.getRegistryUsername();
  }

  @Override
  public String getRegistryPassword() {
    return config.getRegistryPassword();
  }

  @Override
  public String getRegistryEmail() {
    return config.getRegistryEmail();
  }

  @Override
  public String getRegistryUrl() {
    return config.getRegistryUrl();
  }

  @Override
  public AuthConfig effectiveAuthConfig(String imageName) {
    return config.effectiveAuthConfig(imageName);
  }

  @Override
  public AuthConfigurations getAuthConfigurations() {
    return config.getAuthConfigurations();
  }

  @Override
  @SuppressWarnings("deprecation") // The interface asks for it.
  public SSLConfig getSSLConfig() {
    return config.getSSLConfig();
  }
}
