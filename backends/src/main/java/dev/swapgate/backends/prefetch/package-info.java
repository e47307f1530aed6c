/**
 * Reads the files of the selected engine's model into the host's page cache while a job is about to
 * end, so that the engine loads from memory. An observer: it hears what the gate tells and nothing
 * waits for it. Imports the gate's core and ports, and of {@code gpu} what the host's memory is.
 */
@NullMarked
package dev.swapgate.backends.prefetch;

import org.jspecify.annotations.NullMarked;
