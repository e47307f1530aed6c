package dev.swapgate.proxy.http;

/**
 * Why a request of the admin side is not answered as asked, with the status it deserves.
 *
 * @see Answer#problem
 */
public final class HttpProblem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String code;

  /**
   * @param code one word for programs, such as {@code unknown_backend}
   * @param message what was wrong and what to do, for people
   */
  public HttpProblem(int status, String code, String message) {
    super(message);
    this.status = status;
    this.code = code;
  }

  public int status() {
    return status;
  }

  public String code() {
    return code;
  }
}
