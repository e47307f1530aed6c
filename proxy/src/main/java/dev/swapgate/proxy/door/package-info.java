/**
 * A media server's own port, kept by swapgate: a page while the server sleeps, requests that are
 * held until it is awake, everything passed on while it is, and the one lease that all who come by
 * this door share. Imports {@code http}, {@code forward} and the gate's runtime, and knows nothing
 * of chat; who wires it is {@code app}.
 */
@NullMarked
package dev.swapgate.proxy.door;

import org.jspecify.annotations.NullMarked;
