package dev.swapgate.backends.recipe;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A container that is itself the job: what it finds in its folder when it starts, and where it
 * leaves its results.
 *
 * @param files by name, what is written for each job besides the request itself
 * @param results a folder in it, emptied before each start
 */
public record RunToExit(Inputs inputs, Map<String, TextTemplate> files, String results) {

  public RunToExit {
    files = new LinkedHashMap<>(files);
  }

  /** The names of all values that go into the files. */
  public Set<String> variables() {
    Set<String> names = new TreeSet<>();
    files.values().forEach(file -> names.addAll(file.variables()));
    return names;
  }
}
