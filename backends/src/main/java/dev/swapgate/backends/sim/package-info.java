/**
 * The pretend box: a card that is a directory, and servers that behave like the real ones.
 *
 * <p>Belongs here: what tests and the demo need on a machine without a GPU, as real processes that
 * speak real HTTP. Does not belong here: anything swapgate itself runs on. The room stands alone:
 * it imports nothing but {@code java.base}, so that it also runs in a small runtime image, and
 * nothing else of the workshop imports it. It is the one room besides the system clock that may
 * read clocks and sleep. The README beside this file lists every setting.
 */
@NullMarked
package dev.swapgate.backends.sim;

import org.jspecify.annotations.NullMarked;
