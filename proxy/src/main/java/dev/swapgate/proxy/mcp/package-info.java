/**
 * What agents are offered by the Model Context Protocol, on standard input and output: tools, their
 * schemas, and how an answer looks. What they do is a {@link dev.swapgate.proxy.mcp.Workbench}'s
 * matter, which the command line brings. The only room that sees the protocol's library.
 */
@NullMarked
package dev.swapgate.proxy.mcp;

import org.jspecify.annotations.NullMarked;
