package dev.swapgate.proxy.admin;

import dev.swapgate.gate.port.JobStore;
import dev.swapgate.gate.runtime.Gate;
import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.proxy.history.SwapRecord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What the admin side is made of.
 *
 * @param durations how a length of time is read
 * @param usualLease how long a lease is that names no length
 * @param check looks for what would go wrong; may block
 * @param clearCooldown ends the cooldown of that key; false when there is none
 * @param swapUnderWay the swap under way, as far as it has come
 * @param executor runs what may block
 */
public record AdminParts(
    Gate gate,
    JobStore store,
    Surroundings surroundings,
    SteadyClock clock,
    Function<String, Optional<Duration>> durations,
    Supplier<Duration> usualLease,
    Supplier<List<Finding>> check,
    Predicate<String> clearCooldown,
    Supplier<Optional<SwapRecord>> swapUnderWay,
    Executor executor) {}
