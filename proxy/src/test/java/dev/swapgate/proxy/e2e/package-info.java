/**
 * The whole product on a real Docker daemon, seen from outside: chat clients, the admin API, the
 * command line, what containers and the pretend card did. Nothing here looks inside a room.
 */
package dev.swapgate.proxy.e2e;
