/**
 * The command line: what is typed, what is printed, how it exits. All but {@code serve} talks HTTP
 * to the admin API and sees nothing else of the house. Imports the wiring, the configuration, the
 * core's words and the clock; nobody imports it.
 */
@NullMarked
package dev.swapgate.proxy.cli;

import org.jspecify.annotations.NullMarked;
