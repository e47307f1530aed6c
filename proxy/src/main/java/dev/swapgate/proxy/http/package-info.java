/**
 * What both doors on the street share: the listener with its limits, requests that are refused for
 * their form, bodies read without blocking, and the one place where errors become HTTP. Knows
 * nothing of chat, jobs or the gate's decisions; {@code chat}, {@code jobs} and {@code admin}
 * import it, never the other way round.
 */
@NullMarked
package dev.swapgate.proxy.http;

import org.jspecify.annotations.NullMarked;
