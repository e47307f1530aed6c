/**
 * The way of a chat request: listener, profile, body, turnstile, engine and back. Everything of one
 * request happens on the I/O thread of its connection, so that what meets in it (the client, the
 * engine, the clock, the gate's cut) never meets at the same time; nothing here blocks that thread
 * or waits for the gate's. Imports {@code http}, {@code forward}, {@code fallback} and the gate's
 * runtime; who wires it is {@code app}.
 */
@NullMarked
package dev.swapgate.proxy.chat;

import org.jspecify.annotations.NullMarked;
