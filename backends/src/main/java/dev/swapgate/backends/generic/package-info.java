/**
 * The media servers that the owner of the box describes in the configuration: one call that answers
 * with the result, or submit, poll and fetch. Imports recipe, media, settings and the gate's core
 * and ports; Jackson for the wire.
 */
@NullMarked
package dev.swapgate.backends.generic;

import org.jspecify.annotations.NullMarked;
