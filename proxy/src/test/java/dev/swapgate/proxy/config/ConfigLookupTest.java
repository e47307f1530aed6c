package dev.swapgate.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which file is read, and what is read from one that is full of problems. */
class ConfigLookupTest {

  @TempDir Path folder;

  @Test
  void theNamedFileComesFirstThenTheVariableThenTheFolderThenHome() throws Exception {
    Path home = Files.createDirectories(folder.resolve("home/.config/swapgate"));
    Path work = Files.createDirectories(folder.resolve("work"));
    String homeText = folder.resolve("home").toString();
    ConfigLoader plain = new ConfigLoader(Map.of("HOME", homeText));
    ConfigLoader withVariable =
        new ConfigLoader(Map.of("HOME", homeText, "SWAPGATE_CONFIG", "v.yaml"));

    assertThat(plain.locate(Optional.of(Path.of("n.yaml")), work)).contains(work.resolve("n.yaml"));
    assertThat(withVariable.locate(Optional.of(Path.of("n.yaml")), work))
        .contains(work.resolve("n.yaml"));
    assertThat(withVariable.locate(Optional.empty(), work)).contains(work.resolve("v.yaml"));

    Path atHome = Files.createFile(home.resolve("swapgate.yaml"));
    assertThat(plain.locate(Optional.empty(), work)).contains(atHome);
    Path here = Files.createFile(work.resolve("swapgate.yaml"));
    assertThat(plain.locate(Optional.empty(), work)).contains(here);
  }

  @Test
  void aFileFullOfProblemsStillTellsWhereSwapgateListens() throws Exception {
    Path file = folder.resolve("swapgate.yaml");
    Files.writeString(
        file, "admin: {listen: '0.0.0.0:9001'}\nstate_dir: s\nengines: {a: {url: '${GONE}'}}\n");

    ConfigLoader.Contact contact = new ConfigLoader(Map.of()).contact(Optional.of(file));

    assertThat(contact.admin().baseUrl()).isEqualTo("http://127.0.0.1:9001");
    assertThat(contact.stateDir()).isEqualTo(folder.resolve("s"));
  }

  @Test
  void withoutAFileTheDefaultsTellWhereSwapgateListens() {
    ConfigLoader.Contact contact = new ConfigLoader(Map.of()).contact(Optional.empty());

    assertThat(contact.admin().baseUrl()).isEqualTo("http://127.0.0.1:8485");
    assertThat(contact.listen().baseUrl()).isEqualTo("http://127.0.0.1:8484");
    assertThat(contact.stateDir()).isEqualTo(Path.of("/var/lib/swapgate"));
  }
}
