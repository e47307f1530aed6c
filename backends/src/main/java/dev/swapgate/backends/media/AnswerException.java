package dev.swapgate.backends.media;

import dev.swapgate.gate.core.JobAnswer;
import java.util.function.Supplier;

/**
 * Carries the answer a call ends with from where it is known to where it is given. Never leaves the
 * rooms of media servers: every call of a port turns it into its answer.
 */
public final class AnswerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient JobAnswer answer;

  private AnswerException(JobAnswer answer) {
    super(answer.toString());
    this.answer = answer;
  }

  public static AnswerException unanswered(String reason) {
    return new AnswerException(new JobAnswer.Unanswered(reason));
  }

  public static AnswerException rejected(String reason) {
    return new AnswerException(new JobAnswer.Rejected(reason));
  }

  public static AnswerException unwritable(String reason) {
    return new AnswerException(new JobAnswer.Unwritable(reason));
  }

  public static AnswerException uncollectable(String reason) {
    return new AnswerException(new JobAnswer.Uncollectable(reason));
  }

  public JobAnswer answer() {
    return answer;
  }

  /** What the call gives, or the answer it was ended with. */
  public static JobAnswer answering(Supplier<JobAnswer> call) {
    try {
      return call.get();
    } catch (AnswerException ended) {
      return ended.answer();
    }
  }
}
