/**
 * Media work over HTTP: how a job is read from a request, accepted, shown, cancelled and its
 * results handed out. Asks the gate's façade and reads its store; imports proxy.http, never a
 * sibling.
 */
@NullMarked
package dev.swapgate.proxy.jobs;

import org.jspecify.annotations.NullMarked;
