package dev.swapgate.proxy.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What the README shows to be typed, in its order. */
final class Readme {
  private static final Pattern COMMAND =
      Pattern.compile(" {4,}((?:\\./)?scripts/|mvn |docker |cd |sudo |source |swapgate ).*");

  private Readme() {}

  /** Lines of its indented code that are commands, without their comments. */
  static List<String> commands() throws IOException {
    List<String> commands = new ArrayList<>();
    for (String line : Files.readAllLines(Simulators.checkout().resolve("README.md"))) {
      if (COMMAND.matcher(line).matches()) {
        commands.add(line.strip().replaceFirst(" +# .*$", ""));
      }
    }
    return commands;
  }

  /** The example of a configuration. */
  static String configuration() throws IOException {
    String text = Files.readString(Simulators.checkout().resolve("README.md"));
    String fence = "   ```yaml\n";
    int begin = text.indexOf(fence) + fence.length();
    return text.substring(begin, text.indexOf("   ```", begin)).stripIndent();
  }
}
