/** What {@code scripts/bench} loads hops with. Not run by tests. */
package dev.swapgate.proxy.bench;
