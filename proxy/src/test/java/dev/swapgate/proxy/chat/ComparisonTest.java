package dev.swapgate.proxy.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The same bytes to an engine and to swapgate before it: what the README lists, and no more. */
class ComparisonTest {

  @Test
  void nothingDiffersButWhatTheReadmeLists() throws Exception {
    Set<String> listed = listed();
    Map<String, Set<String>> unlisted = new TreeMap<>();
    Set<String> met = new TreeSet<>();
    try (RecordingEngine engine = new RecordingEngine();
        Street street = Street.before(engine.address().getPort())) {
      street.gate.open();
      for (Talk talk : Talks.all()) {
        for (String difference : differences(talk, engine, street)) {
          String ofThisTalk = difference + " (" + talk.name() + ")";
          if (listed.contains(difference) || listed.contains(ofThisTalk)) {
            met.add(listed.contains(difference) ? difference : ofThisTalk);
          } else {
            unlisted.computeIfAbsent(difference, d -> new TreeSet<>()).add(talk.name());
          }
        }
      }
    }

    assertThat(unlisted).as("differences that README.md does not list").isEmpty();
    assertThat(met).as("what README.md lists is still so").containsAll(listed);
  }

  private static Set<String> differences(Talk talk, RecordingEngine engine, Street street)
      throws Exception {
    Seen direct = talk.with(engine.address(), engine);
    try {
      return talk.with(street.listener.address(), engine).differencesTo(direct);
    } catch (IOException e) {
      return new TreeSet<>(Set.of("fails through swapgate: " + e.getMessage()));
    }
  }

  /** The first column of the table; in brackets the only talk that may differ so. */
  private static Set<String> listed() throws IOException {
    Path readme = Path.of("README.md").toAbsolutePath();
    String text = Files.readString(readme);
    int from = text.indexOf("## What is different from talking to the engine directly");
    String section = text.substring(from, text.indexOf("\n## ", from + 1));
    List<String> names = new ArrayList<>();
    Matcher row = Pattern.compile("^\\| (`[^|]+`) \\|", Pattern.MULTILINE).matcher(section);
    while (row.find()) {
      for (String name : row.group(1).split("` `")) {
        names.add(name.replace("`", ""));
      }
    }
    assertThat(names).as("rows of the table in %s", readme).isNotEmpty();
    return new TreeSet<>(names);
  }
}
