/**
 * What Prometheus is told. Counts what the gate tells and reads what it shows when it is scraped;
 * labels take their values from the configuration and from closed lists. Knows nothing of HTTP.
 */
@NullMarked
package dev.swapgate.proxy.metrics;

import org.jspecify.annotations.NullMarked;
