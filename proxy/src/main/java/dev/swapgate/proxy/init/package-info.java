/**
 * Writes the first {@code swapgate.yaml}: from the containers of this box, or from the file of
 * another program. What belongs here: how an engine or a media server is recognised, and what is
 * known about each. What does not: any decision at run time, and any command to a container. Sees
 * the container details, the settings and the configuration that must be able to read the result;
 * the wiring and the command line see it.
 */
@NullMarked
package dev.swapgate.proxy.init;

import org.jspecify.annotations.NullMarked;
