package dev.swapgate.proxy.metrics;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the text format of Prometheus 0.0.4 as strictly as its grammar is: each family has one HELP
 * and one TYPE before its samples, a sample is there once, and buckets do not fall.
 */
public final class Exposition {
  private static final String NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
  private static final String LABEL = "[a-zA-Z_][a-zA-Z0-9_]*=\"(?:[^\"\\\\\\n]|\\\\[\\\\\"n])*\"";
  private static final Pattern SAMPLE =
      Pattern.compile(
          "(" + NAME + ")(?:\\{((?:" + LABEL + ")(?:," + LABEL + ")*)?,?})? (\\S+)(?: -?\\d+)?");
  private static final Set<String> TYPES =
      Set.of("counter", "gauge", "histogram", "summary", "untyped");

  private final Map<String, String> types = new HashMap<>();
  private final Set<String> helped = new HashSet<>();
  private final Map<String, Double> samples = new TreeMap<>();
  private double lastBucket;
  private String lastSeries = "";

  public static Exposition parse(String text) {
    Exposition read = new Exposition();
    if (!text.endsWith("\n")) {
      throw new AssertionError("the last line has no end");
    }
    text.lines().filter(line -> !line.isEmpty()).forEach(read::line);
    return read;
  }

  /** Each sample's value by its name with labels, as it was written. */
  public Map<String, Double> samples() {
    return samples;
  }

  public Map<String, String> types() {
    return types;
  }

  private void line(String line) {
    String[] words = line.split(" ", 4);
    if (line.startsWith("# HELP ")) {
      require(helped.add(words[2]), "a second HELP", line);
    } else if (line.startsWith("# TYPE ")) {
      require(TYPES.contains(words[3]), "an unknown type", line);
      require(types.put(words[2], words[3]) == null, "a second TYPE", line);
    } else if (!line.startsWith("#")) {
      sample(line);
    }
  }

  private void sample(String line) {
    Matcher parts = SAMPLE.matcher(line);
    require(parts.matches(), "no sample", line);
    String name = parts.group(1);
    String family =
        types.containsKey(name) ? name : name.replaceFirst("_(bucket|sum|count|total)$", "");
    require(types.containsKey(family), "no TYPE before it", line);
    require(helped.contains(family), "no HELP before it", line);
    double value =
        switch (parts.group(3)) {
          case "+Inf" -> Double.POSITIVE_INFINITY;
          case "-Inf" -> Double.NEGATIVE_INFINITY;
          case "NaN" -> Double.NaN;
          default -> Double.parseDouble(parts.group(3));
        };
    String key = line.substring(0, line.lastIndexOf(parts.group(3)) - 1);
    require(samples.put(key, value) == null, "a second sample", line);
    if (name.endsWith("_bucket")) {
      String series = key.replaceFirst(",?le=\"[^\"]*\"", "");
      require(!series.equals(lastSeries) || value >= lastBucket, "a bucket that falls", line);
      lastSeries = series;
      lastBucket = value;
    }
  }

  private static void require(boolean holds, String wrong, String line) {
    if (!holds) {
      throw new AssertionError(wrong + ": " + line);
    }
  }
}
