/**
 * The core brought to life: the loop that turns one event into the next commands, the one thread
 * that runs it, the runner that carries commands out, the turnstile, and what the street side may
 * ask. Imports port and core.
 */
@NullMarked
package dev.swapgate.gate.runtime;

import org.jspecify.annotations.NullMarked;
