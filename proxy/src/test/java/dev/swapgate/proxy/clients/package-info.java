/**
 * Chat clients in a swap: their rules in virtual time, and the real libraries against the whole
 * program. Uses the production rules of the gate and the chat side; nothing uses it.
 */
@NullMarked
package dev.swapgate.proxy.clients;

import org.jspecify.annotations.NullMarked;
