/**
 * {@code swapgate.yaml}: read strictly, checked whole, turned into values. The only room that knows
 * YAML. Imports the settings of the workshop and the gate's core; imported by the command line and
 * the wiring.
 */
@NullMarked
package dev.swapgate.proxy.config;

import org.jspecify.annotations.NullMarked;
