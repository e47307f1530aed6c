package dev.swapgate.proxy.config;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts environment variables in place of their names, written as a dollar sign and the name in
 * braces. It works on values after they were read, so that a variable's content is never read as
 * YAML. A second dollar sign before the brace makes it a literal.
 */
final class Placeholders {

  private static final Pattern FORM = Pattern.compile("\\$\\$\\{|\\$\\{([^}]*)(}?)");
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private final Map<String, String> environment;
  private final Problems problems;

  Placeholders(Map<String, String> environment, Problems problems) {
    this.environment = environment;
    this.problems = problems;
  }

  /** True when the value comes, at least in part, from the environment. */
  static boolean isIn(String text) {
    return FORM.matcher(text.replace("$${", "")).find();
  }

  /** The text with all variables put in; what cannot be put in is told and left out. */
  String resolve(String text, int line, String path) {
    return FORM.matcher(text)
        .replaceAll(
            found -> {
              if (found.group(1) == null) {
                return Matcher.quoteReplacement("${");
              }
              return Matcher.quoteReplacement(
                  variable(found.group(1), !found.group(2).isEmpty(), line, path));
            });
  }

  private String variable(String name, boolean ends, int line, String path) {
    if (!ends) {
      problems.add(line, path, "${" + name + " has no closing brace; write ${NAME}");
      return "";
    }
    if (!NAME.matcher(name).matches()) {
      problems.add(
          line,
          path,
          "${"
              + name
              + "} is no variable name; only ${NAME} is known, without defaults"
              + " (a literal ${ is written $${)");
      return "";
    }
    String value = environment.get(name);
    if (value == null) {
      problems.add(line, path, "the environment variable " + name + " is not set; set it");
      return "";
    }
    return value;
  }
}
