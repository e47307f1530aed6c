/**
 * A media server that is described instead of programmed, as checked values: calls, templates,
 * paths into JSON. Nothing is asked and nothing is filled in here. Imports nothing of the house.
 */
@NullMarked
package dev.swapgate.backends.recipe;

import org.jspecify.annotations.NullMarked;
