package dev.swapgate.proxy.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects what is wrong with one file, so that all of it is told at once. Not thread-safe. */
public final class Problems {

  private final String file;
  private final List<Problem> found = new ArrayList<>();

  Problems(String file) {
    this.file = file;
  }

  /**
   * One thing that is wrong.
   *
   * @param line from 1; 0 when the whole file is meant
   * @param path {@code engines.vllm.drain}; empty when the whole file is meant
   * @param text what was seen, what is allowed, what to do
   */
  public record Problem(String file, int line, String path, String text) {
    @Override
    public String toString() {
      return file
          + (line > 0 ? ":" + line : "")
          + ": "
          + (path.isEmpty() ? "" : path + ": ")
          + text;
    }
  }

  void add(int line, String path, String text) {
    found.add(new Problem(file, line, path, text));
  }

  boolean isEmpty() {
    return found.isEmpty();
  }

  /** All of them, in the order of the file. */
  List<Problem> inOrder() {
    return found.stream().sorted(Comparator.comparingInt(Problem::line)).toList();
  }

  /** Throws {@link ConfigException} when there is at least one. */
  void throwIfAny() {
    if (!found.isEmpty()) {
      throw new ConfigException(inOrder());
    }
  }
}
