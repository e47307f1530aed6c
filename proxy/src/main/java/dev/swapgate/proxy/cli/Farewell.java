package dev.swapgate.proxy.cli;

/**
 * What is said when somebody interrupts a command that only watches: that the work goes on, and how
 * to get back to it. Said by the process as it ends, unless this was closed before.
 */
final class Farewell implements AutoCloseable {

  private final Thread words;

  Farewell(Terminal terminal, String text) {
    words =
        new Thread(
            () -> {
              terminal.tell("");
              terminal.tell(text);
              terminal.err().flush();
            },
            "swapgate-farewell");
    Runtime.getRuntime().addShutdownHook(words);
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(words);
    } catch (IllegalStateException ending) {
      // The process is on its way out, and the words are being said.
    }
  }
}
