package dev.swapgate.proxy.images;

import dev.swapgate.proxy.http.ErrorAnswer;

/** Why a request for pictures is not answered with some. */
final class Refused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient ErrorAnswer answer;

  private Refused(ErrorAnswer answer) {
    super(answer.message());
    this.answer = answer;
  }

  ErrorAnswer answer() {
    return answer;
  }

  static Refused invalid(int status, String code, String message) {
    return new Refused(ErrorAnswer.invalid(status, code, message));
  }

  /**
   * 422: client libraries do not try it again, as they do after 409 and 5xx: each try is a swap.
   */
  static Refused failed(String code, String message) {
    return new Refused(ErrorAnswer.invalid(422, code, message));
  }

  static Refused busy(String message, int seconds) {
    return new Refused(
        ErrorAnswer.rateLimited(
            "Rate limit: " + message + ". Please retry after " + seconds + " seconds.", seconds));
  }

  static Refused unavailable(String code, String message, int seconds) {
    return new Refused(
        ErrorAnswer.unavailable(
            code,
            "swapgate: " + message + ". Please retry after " + seconds + " seconds.",
            seconds));
  }
}
