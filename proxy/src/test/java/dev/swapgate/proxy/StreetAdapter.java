package dev.swapgate.proxy;

import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobAnswer;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.port.JobAdapter;
import java.nio.file.Path;

/** As much of an adapter as is asked before a job is accepted; no server is behind it. */
public abstract class StreetAdapter implements JobAdapter {
  @Override
  public String shape(JobRequest request) {
    return "shape";
  }

  @Override
  public Job.Ticket newTicket(Job.Id job, int attempt) {
    throw new UnsupportedOperationException();
  }

  @Override
  public JobAnswer submit(JobRequest request, Job.Ticket ticket) {
    throw new UnsupportedOperationException();
  }

  @Override
  public JobAnswer follow(Job.Ticket ticket) {
    throw new UnsupportedOperationException();
  }

  @Override
  public JobAnswer collect(Job.Ticket ticket, Path folder) {
    throw new UnsupportedOperationException();
  }

  @Override
  public JobAnswer cancel(Job.Ticket ticket) {
    throw new UnsupportedOperationException();
  }
}
