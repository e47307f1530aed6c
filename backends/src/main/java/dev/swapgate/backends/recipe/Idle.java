package dev.swapgate.backends.recipe;

import java.util.Set;

/**
 * How the server tells that it has nothing to do: then an attempt that nobody can ask about by name
 * cannot run any more, and the job can be tried again without a restart.
 *
 * @param values any of these at that place means idle
 */
public record Idle(TextTemplate path, JsonPath at, Set<String> values) {
  public Idle {
    values = Set.copyOf(values);
  }
}
