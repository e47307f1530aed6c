/**
 * One HTTP exchange on a connection of its own, with limits in time and size, and its failures in
 * plain words; shared by the probe and the job adapters. Imports nothing of the house but the
 * port's exception.
 */
@NullMarked
package dev.swapgate.backends.http;

import org.jspecify.annotations.NullMarked;
