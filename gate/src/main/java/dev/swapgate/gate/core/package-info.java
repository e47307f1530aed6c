/**
 * Pure decisions: who should own the card, and what is done next. No I/O, no clock, no thread, no
 * log, no randomness; everything a decision needs comes in as a value. Imports nothing of the
 * house.
 */
@NullMarked
package dev.swapgate.gate.core;

import org.jspecify.annotations.NullMarked;
