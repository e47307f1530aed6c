package dev.swapgate.backends.gpu;

/**
 * What the card is, for people.
 *
 * @param driver the driver's version; empty when the tool does not tell it
 */
public record CardFacts(String name, String uuid, String driver, long totalMib) {}
