package dev.swapgate.gate.runtime;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.port.CommandNotes;
import dev.swapgate.gate.port.Containers;
import dev.swapgate.gate.port.GpuMeter;
import dev.swapgate.gate.port.JobAdapter;
import dev.swapgate.gate.port.JobStore;
import dev.swapgate.gate.port.ReadinessProbe;
import java.nio.file.Path;
import java.util.Map;

/**
 * The world as the gate reaches it.
 *
 * @param adapters one for each media backend
 * @param resultsDir each job's files go into a folder of its own in it
 */
public record Ports(
    Containers containers,
    ReadinessProbe probe,
    GpuMeter meter,
    Map<Backend.Id, JobAdapter> adapters,
    JobStore store,
    CommandNotes notes,
    Path resultsDir) {
  public Ports {
    adapters = Map.copyOf(adapters);
  }

  /** What an earlier process left behind; throws what the store and the notes throw. */
  public Memory memory() {
    return new Memory(store.open(), store.stepTimes(), store.settings(), notes.notes());
  }
}
