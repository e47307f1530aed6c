/**
 * The card and the host's memory: nvidia-smi for what decides, OSHI for what is only shown. Imports
 * settings and the gate's core and ports; the only room that imports OSHI.
 */
@NullMarked
package dev.swapgate.backends.gpu;

import org.jspecify.annotations.NullMarked;
