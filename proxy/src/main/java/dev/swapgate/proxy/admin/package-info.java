/**
 * The owner's side over HTTP: status, events, selection, leases, maintenance, history, and what
 * {@code check} found. Asks the gate's façade and renders what it says; decides nothing. Imports
 * proxy.http, never a sibling.
 */
@NullMarked
package dev.swapgate.proxy.admin;

import org.jspecify.annotations.NullMarked;
