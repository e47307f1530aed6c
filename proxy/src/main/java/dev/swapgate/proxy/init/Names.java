package dev.swapgate.proxy.init;

import java.util.Set;

/** Makes names of backends out of other names. */
final class Names {
  private Names() {}

  /** Fit for the file and not taken yet. */
  static String free(String wish, String otherwise, Set<String> taken) {
    String fit = wish.replaceAll("[^a-z0-9_-]+", "-").replaceAll("^[-_]+|[-_]+$", "");
    String first = fit.isEmpty() || fit.length() > 40 ? otherwise : fit;
    String name = first;
    for (int i = 2; taken.contains(name); i++) {
      name = first + "-" + i;
    }
    return name;
  }
}
