package dev.swapgate.backends.recipe;

import java.util.Optional;

/**
 * Where it is told how far a job is.
 *
 * @param path asked while the call runs; empty: it stands in the answer to the poll
 * @param full what stands there at the end: 1, or 100
 */
public record Progress(Optional<TextTemplate> path, JsonPath at, int full) {}
