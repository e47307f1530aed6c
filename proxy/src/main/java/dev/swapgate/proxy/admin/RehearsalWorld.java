package dev.swapgate.proxy.admin;

import dev.swapgate.gate.core.Box;
import dev.swapgate.gate.port.Containers;
import dev.swapgate.gate.port.GpuMeter;
import java.util.function.Supplier;

/**
 * What a rehearsal looks at besides the gate; it looks only.
 *
 * @param box as it is configured now
 */
public record RehearsalWorld(Supplier<Box> box, Containers containers, GpuMeter card) {}
