/**
 * The media servers that are known by name, ComfyUI and ACE-Step: how each is asked to do a job and
 * how its results are found. Imports media, settings and the gate's core and ports; Jackson for the
 * wire.
 */
@NullMarked
package dev.swapgate.backends.job;

import org.jspecify.annotations.NullMarked;
