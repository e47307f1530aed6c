/**
 * What the gate needs of the world, as interfaces; the workshop implements them. Every call asks
 * once and returns; all waiting is the gate's own. Imports the core alone.
 */
@NullMarked
package dev.swapgate.gate.port;

import org.jspecify.annotations.NullMarked;
