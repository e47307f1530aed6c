package dev.swapgate.backends.recipe;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What a job may say.
 *
 * @param needs values every job must give
 * @param defaults values for those it may give, as JSON
 */
public record Inputs(Set<String> needs, Map<String, String> defaults) {

  /** The name under which a template means all values together. */
  public static final String ALL = "request";

  public Inputs {
    needs = Set.copyOf(needs);
    defaults = new LinkedHashMap<>(defaults);
  }

  public boolean knows(String name) {
    return name.equals(ALL) || needs.contains(name) || defaults.containsKey(name);
  }
}
