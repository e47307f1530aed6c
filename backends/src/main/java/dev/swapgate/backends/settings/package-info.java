/**
 * What the workshop is told about the box, as validated values. Imports the gate's core and recipe;
 * every other room of the workshop may import it.
 */
@NullMarked
package dev.swapgate.backends.settings;

import org.jspecify.annotations.NullMarked;
