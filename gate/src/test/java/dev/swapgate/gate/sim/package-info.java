/**
 * The production loop in a world of virtual time that lies, hangs, forgets and is meddled with. One
 * seed drives everything; a failure prints it.
 */
package dev.swapgate.gate.sim;
