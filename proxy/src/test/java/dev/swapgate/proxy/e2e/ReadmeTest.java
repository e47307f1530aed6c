package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.proxy.config.ConfigLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the README and the guides show can be so. What it says to type is typed in StrangerIT. */
class ReadmeTest {
  private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)(#[^)]*)?\\)");

  @Test
  void itsConfigurationLoads() throws Exception {
    assertThat(
            new ConfigLoader(Map.of())
                .parse("README.md", Readme.configuration(), Path.of("/"))
                .box()
                .backends())
        .hasSize(4);
  }

  @Test
  void itsLinksLeadToFiles() throws Exception {
    for (String name :
        List.of(
            "README.md",
            "compose/guides/README.md",
            "compose/guides/clients.md",
            "compose/guides/engines.md",
            "compose/guides/fallback.md",
            "compose/guides/images.md",
            "compose/guides/agents.md",
            "compose/guides/several-boxes.md",
            "compose/guides/should-you-switch.md")) {
      Path file = Simulators.checkout().resolve(name);
      Matcher link = LINK.matcher(Files.readString(file));
      while (link.find()) {
        assertThat(file.resolveSibling(link.group(1))).as("linked in %s", name).exists();
      }
    }
  }
}
