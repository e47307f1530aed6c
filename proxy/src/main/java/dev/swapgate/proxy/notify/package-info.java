/**
 * Tells the owner of the box elsewhere what should not be missed. Listens to the gate, and nothing
 * waits for it: what cannot be delivered is told in the log and forgotten. Imports neither HTTP's
 * room nor a sibling besides the history's ends of jobs.
 */
@NullMarked
package dev.swapgate.proxy.notify;

import org.jspecify.annotations.NullMarked;
