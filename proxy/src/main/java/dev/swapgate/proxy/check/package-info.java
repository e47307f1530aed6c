/**
 * The preflight: looks at containers, card and configuration for what would make a swap fail, and
 * names the command that mends it. Commands nothing itself, and advises {@code docker compose
 * create} and {@code stop}, never {@code down}, after which there would be nothing left to start.
 * Imports the workshop's docker and settings and the finding's shape of admin; app calls it.
 */
@NullMarked
package dev.swapgate.proxy.check;

import org.jspecify.annotations.NullMarked;
