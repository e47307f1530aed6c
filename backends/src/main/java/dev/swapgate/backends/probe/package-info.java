/**
 * Whether a backend is ready, asked once over HTTP. Imports settings, http and the gate's core and
 * ports; no waiting between attempts and no counting of passes, those are the gate's.
 */
@NullMarked
package dev.swapgate.backends.probe;

import org.jspecify.annotations.NullMarked;
