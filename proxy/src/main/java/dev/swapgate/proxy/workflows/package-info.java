/**
 * Workflows that have a name: what the owner of the box wrote once and others only fill in; and how
 * a graph is found in the files that people have. Values and bytes, no I/O but reading one file.
 * Imports gate.core; config reads them, jobs, images and cli use them.
 */
@NullMarked
package dev.swapgate.proxy.workflows;

import org.jspecify.annotations.NullMarked;
