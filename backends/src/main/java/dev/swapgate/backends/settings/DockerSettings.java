package dev.swapgate.backends.settings;

import java.net.URI;

/** Where the Docker daemon answers: {@code unix:///var/run/docker.sock} or {@code tcp://…}. */
public record DockerSettings(URI host) {}
