package dev.swapgate.gate.port;

import dev.swapgate.gate.core.CardReading;

/** Reads the card's memory once. Returns within 5 s; never throws. Thread-safe. */
public interface GpuMeter {
  CardReading read();
}
