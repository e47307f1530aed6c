package dev.swapgate.gate.core;

import java.time.Duration;
import java.time.Instant;

/**
 * One reading of both clocks.
 *
 * @param steady time since this process's clock began; never jumps; all budgets are measured on it
 * @param wall the time people and Docker mean; may jump; never used to measure a budget
 */
public record Now(Duration steady, Instant wall) {}
