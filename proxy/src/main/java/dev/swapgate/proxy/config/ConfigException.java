package dev.swapgate.proxy.config;

import java.util.List;

/** The configuration cannot be used. Its message is the numbered list of all that is wrong. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<Problems.Problem> problems;

  ConfigException(List<Problems.Problem> problems) {
    super(message(problems));
    this.problems = List.copyOf(problems);
  }

  /** In the order of the file; never empty. */
  public List<Problems.Problem> problems() {
    return problems;
  }

  private static String message(List<Problems.Problem> problems) {
    StringBuilder text = new StringBuilder();
    text.append(problems.size() == 1 ? "one problem" : problems.size() + " problems");
    text.append(" in the configuration:");
    for (int i = 0; i < problems.size(); i++) {
      text.append("\n  ").append(i + 1).append(". ").append(problems.get(i));
    }
    return text.toString();
  }
}
