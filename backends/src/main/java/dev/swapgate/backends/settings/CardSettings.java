package dev.swapgate.backends.settings;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * Which card is meant: by index or by uuid; neither: the one with the most memory.
 *
 * @param tool the program that is asked, {@code nvidia-smi} on the path by default
 */
public record CardSettings(OptionalInt index, Optional<String> uuid, String tool) {}
