/**
 * What every way of asking a media server shares: the server itself, asked once; its answers read
 * strictly; and the folder into which results go whole or not at all. What a server says is data:
 * it names no path, picks no host, and what it does wrong is an answer, not an exception. Imports
 * settings, http and the gate's core and ports; Jackson for the wire.
 */
@NullMarked
package dev.swapgate.backends.media;

import org.jspecify.annotations.NullMarked;
