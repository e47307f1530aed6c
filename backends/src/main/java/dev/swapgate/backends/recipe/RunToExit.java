package dev.swapgate.backends.recipe;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A command line that does a job: what it finds in its folder when it starts, and where it leaves
 * its results.
 *
 * @param files by name, what is written for each job besides the request itself
 * @param results a folder in it, emptied before each start
 * @param command what is run inside the container, word by word; empty: the container is itself the
 *     job
 */
public record RunToExit(
    Inputs inputs, Map<String, TextTemplate> files, String results, List<TextTemplate> command) {

  public RunToExit {
    files = new LinkedHashMap<>(files);
    command = List.copyOf(command);
  }

  /** Whether its container is up already when it begins. */
  public boolean isInside() {
    return !command.isEmpty();
  }

  /** The names of all values that go into the files and the command. */
  public Set<String> variables() {
    Set<String> names = new TreeSet<>();
    files.values().forEach(file -> names.addAll(file.variables()));
    command.forEach(word -> names.addAll(word.variables()));
    return names;
  }
}
