/**
 * What outlives the process: jobs, settings, learned times and history in one SQLite file, and the
 * commands noted before they are sent in a small file of fixed size. The only room that knows SQL.
 * Implements ports; imports port and core.
 */
@NullMarked
package dev.swapgate.gate.store;

import org.jspecify.annotations.NullMarked;
