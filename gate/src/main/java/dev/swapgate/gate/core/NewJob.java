package dev.swapgate.gate.core;

/** A job that is handed in, with what is asked of its media backend. */
public record NewJob(Job job, JobRequest asked) {}
