/**
 * One request's way to another server and back: canonical request, connection and pool, strict
 * answer, client, and the wait before it may go. Knows neither engines nor media servers nor the
 * turnstile: who lets a request through is the business of {@code chat} and {@code door}, which
 * import this room. All of one request is confined to its connection's I/O thread.
 */
@NullMarked
package dev.swapgate.proxy.forward;

import org.jspecify.annotations.NullMarked;
