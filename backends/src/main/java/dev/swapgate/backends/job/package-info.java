/**
 * How each kind of media server is asked to do a job, and how its results get onto our disk. What a
 * server says is data: it names no path, picks no host, and what it does wrong is an answer, not an
 * exception. Imports settings, http and the gate's core and ports; Jackson for the wire.
 */
@NullMarked
package dev.swapgate.backends.job;

import org.jspecify.annotations.NullMarked;
