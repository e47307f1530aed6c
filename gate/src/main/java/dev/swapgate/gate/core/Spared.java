package dev.swapgate.gate.core;

/**
 * How often attempts of one job did not count, because swapgate died before it had handed them
 * over.
 *
 * @param times since the job was accepted; at most {@value #LIMIT}, or a job that kills swapgate
 *     would do so for ever
 */
public record Spared(Job.Id job, int times) {

  public static final int LIMIT = 5;
}
