package dev.swapgate.proxy.admin;

import dev.swapgate.gate.core.Box;
import dev.swapgate.gate.port.Containers;
import dev.swapgate.gate.port.GpuMeter;

/** What a rehearsal looks at besides the gate; it looks only. */
public record RehearsalWorld(Box box, Containers containers, GpuMeter card) {}
