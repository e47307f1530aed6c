package dev.swapgate.backends.docker;

/**
 * What the daemon says it is.
 *
 * @param version as in {@code 28.2.2}
 * @param apiVersion the newest it speaks, as in {@code 1.50}
 * @param minApiVersion the oldest; empty when it does not say
 */
public record DaemonVersion(String version, String apiVersion, String minApiVersion) {}
