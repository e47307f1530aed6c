package dev.swapgate.backends.sim;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The settings of one simulator: {@code SIM_…} variables with defaults. The README lists them. */
public final class SimSettings {
  private static final Pattern DURATION = Pattern.compile("(\\d+)\\s*(ms|s|m|h)");

  private final Map<String, String> variables;

  public SimSettings(Map<String, String> variables) {
    this.variables = Map.copyOf(variables);
  }

  public static SimSettings ofThisProcess() {
    return new SimSettings(System.getenv());
  }

  String text(String name, String otherwise) {
    String value = variables.get(name);
    return value == null || value.isBlank() ? otherwise : value;
  }

  int number(String name, int otherwise) {
    String value = text(name, Integer.toString(otherwise));
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + "=" + value + " is not a whole number", e);
    }
  }

  boolean flag(String name, boolean otherwise) {
    String value = text(name, Boolean.toString(otherwise));
    return value.equals("1") || value.equalsIgnoreCase("true") || value.equalsIgnoreCase("yes");
  }

  Duration duration(String name, Duration otherwise) {
    String value = text(name, "");
    return value.isEmpty() ? otherwise : parseDuration(name, value);
  }

  /** The pretend card; empty lets a simulator run without any, as tests in one JVM must. */
  Optional<PretendCard> card() {
    String directory = text("SIM_CARD", "");
    return directory.isEmpty() ? Optional.empty() : Optional.of(PretendCard.at(Path.of(directory)));
  }

  /** {@code 250ms}, {@code 5s}, {@code 2m}, {@code 1h}. */
  static Duration parseDuration(String name, String value) {
    Matcher matcher = DURATION.matcher(value.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          name + "=" + value + " is no duration such as 250ms or 5s");
    }
    long amount = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      default -> Duration.ofHours(amount);
    };
  }
}
