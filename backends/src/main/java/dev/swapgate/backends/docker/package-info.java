/**
 * Docker, through docker-java: the only room that imports it. One verb a file; {@link
 * dev.swapgate.backends.docker.DockerContainers} puts them together behind the gate's port.
 *
 * <p>What belongs here: how a container is asked and told, within a deadline of our own. What does
 * not: what is decided from it, and any waiting between two asks. Imports {@code gate.port}, {@code
 * gate.core} and {@code backends.settings}; no other room of the workshop.
 *
 * <p>Every call has a connection of its own. docker-java's response time-out is not honoured on a
 * Unix socket, a pool runs dry when calls hang, and a pooled connection may be dead (docker-java
 * #2682, #841); building a client costs 1 to 5 ms, measured on two cores.
 */
@NullMarked
package dev.swapgate.backends.docker;

import org.jspecify.annotations.NullMarked;
