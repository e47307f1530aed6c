package dev.swapgate.backends.job;

import dev.swapgate.gate.core.JobAnswer;
import java.util.function.Supplier;

/**
 * Carries the answer a call ends with from where it is known to where it is given. Never leaves
 * this room.
 */
final class AnswerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient JobAnswer answer;

  private AnswerException(JobAnswer answer) {
    super(answer.toString());
    this.answer = answer;
  }

  static AnswerException unanswered(String reason) {
    return new AnswerException(new JobAnswer.Unanswered(reason));
  }

  static AnswerException rejected(String reason) {
    return new AnswerException(new JobAnswer.Rejected(reason));
  }

  static AnswerException unwritable(String reason) {
    return new AnswerException(new JobAnswer.Unwritable(reason));
  }

  static AnswerException uncollectable(String reason) {
    return new AnswerException(new JobAnswer.Uncollectable(reason));
  }

  JobAnswer answer() {
    return answer;
  }

  /** What the call gives, or the answer it was ended with. */
  static JobAnswer answering(Supplier<JobAnswer> call) {
    try {
      return call.get();
    } catch (AnswerException ended) {
      return ended.answer();
    }
  }
}
