package dev.swapgate.backends.docker;

/** What went wrong, in the words of the innermost cause: wrappers only repeat its class name. */
final class Causes {
  private Causes() {}

  static String of(Throwable error) {
    Throwable cause = error;
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
    }
    String words = cause.getMessage();
    String kind = cause.getClass().getSimpleName();
    return words == null || words.isBlank() ? kind : words + " (" + kind + ")";
  }
}
