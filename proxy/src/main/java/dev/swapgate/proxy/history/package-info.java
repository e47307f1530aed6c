/**
 * What swaps were like: who owned the card when, what chat was told meanwhile and how long it truly
 * waited. Listens to the gate and writes to the store; decides nothing. Imports proxy.http only for
 * how records become JSON.
 */
@NullMarked
package dev.swapgate.proxy.history;

import org.jspecify.annotations.NullMarked;
