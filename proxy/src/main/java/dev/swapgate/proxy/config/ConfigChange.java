package dev.swapgate.proxy.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One key that has different values in two configurations; what is secret shows as {@code ***}.
 *
 * @param path {@code policy.min_chat}
 * @param before empty: the key was not there
 * @param after empty: the key is not there any more
 */
public record ConfigChange(String path, String before, String after) {

  /** In the order of the file; defaults count as written. */
  public static List<ConfigChange> between(SwapgateConfig before, SwapgateConfig after) {
    Map<String, String> old = values(before);
    Map<String, String> now = values(after);
    Set<String> paths = new LinkedHashSet<>(old.keySet());
    paths.addAll(now.keySet());
    List<ConfigChange> changes = new ArrayList<>();
    for (String path : paths) {
      ConfigChange change =
          new ConfigChange(path, old.getOrDefault(path, ""), now.getOrDefault(path, ""));
      if (!change.before().equals(change.after())) {
        changes.add(change);
      }
    }
    return changes;
  }

  private static Map<String, String> values(SwapgateConfig config) {
    Map<String, String> values = new LinkedHashMap<>();
    List<String> above = new ArrayList<>();
    for (String line : EffectiveConfig.lines(config)) {
      String text = line.stripLeading();
      int depth = (line.length() - text.length()) / 2;
      int colon = text.indexOf(": ");
      String key = colon < 0 ? text.replaceFirst(":$", "") : text.substring(0, colon);
      above.subList(Math.min(depth, above.size()), above.size()).clear();
      above.add(key);
      if (colon >= 0) {
        values.put(String.join(".", above), text.substring(colon + 2));
      }
    }
    return values;
  }

  @Override
  public String toString() {
    return path + " " + shown(before) + " → " + shown(after);
  }

  private static String shown(String value) {
    return value.isEmpty() ? "(none)" : value;
  }
}
