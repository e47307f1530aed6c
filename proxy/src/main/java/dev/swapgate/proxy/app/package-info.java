/**
 * The whole put together by constructor calls: from a configuration to a running swapgate and back
 * down, in order. The only room that sees workshop, gate and street side at once; the command line
 * starts it.
 */
@NullMarked
package dev.swapgate.proxy.app;

import org.jspecify.annotations.NullMarked;
