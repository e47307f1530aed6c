/**
 * The workshop put together: from settings to everything the gate's ports ask for. Imports every
 * other room of the workshop but the pretend box; none of them imports it.
 */
@NullMarked
package dev.swapgate.backends.catalog;

import org.jspecify.annotations.NullMarked;
