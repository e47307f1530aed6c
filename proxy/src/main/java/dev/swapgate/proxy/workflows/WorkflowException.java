package dev.swapgate.proxy.workflows;

/** A file that holds no workflow that can be run, or an input that is nowhere in it. */
public final class WorkflowException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what is wrong and what to do, without the file's name
   */
  public WorkflowException(String message) {
    super(message);
  }
}
