/**
 * Other servers that answer chat while the card is away: which of them may be asked now, what their
 * answers mean for the next request, and the way to them. One classifier serves streamed and whole
 * answers alike. Knows neither clients nor the gate's decisions; {@code chat} asks it, {@code
 * config} builds its settings.
 */
@NullMarked
package dev.swapgate.proxy.fallback;

import org.jspecify.annotations.NullMarked;
