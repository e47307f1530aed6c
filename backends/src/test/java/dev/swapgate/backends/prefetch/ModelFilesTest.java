package dev.swapgate.backends.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelFilesTest {

  @TempDir Path temporary;
  private Path folder;

  @BeforeEach
  void models() throws IOException {
    folder = temporary.toRealPath();
    write("qwen/model-00002.safetensors", 20);
    write("qwen/model-00001.safetensors", 10);
    write("qwen/config.json", 5);
    write("deep/a/b/weights.gguf", 7);
    write("weights.gguf", 3);
  }

  private Path write(String name, int bytes) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, new byte[bytes]);
  }

  private ModelFiles find(String... globs) {
    return ModelFiles.find(Stream.of(globs).map(glob -> folder + "/" + glob).toList());
  }

  private List<String> names(ModelFiles found) {
    return found.files().stream().map(one -> folder.relativize(one.path()).toString()).toList();
  }

  @Test
  void findsWhatAGlobNamesInTheOrderOfTheirNames() {
    ModelFiles found = find("qwen/*.safetensors");
    assertThat(names(found))
        .containsExactly("qwen/model-00001.safetensors", "qwen/model-00002.safetensors");
    assertThat(found.bytes()).isEqualTo(30);
    assertThat(found.problems()).isEmpty();
  }

  @Test
  void knowsPlainPathsAlternativesAndAnyDepth() {
    assertThat(names(find("qwen/config.json"))).containsExactly("qwen/config.json");
    assertThat(names(find("qwen/*.{json,txt}"))).containsExactly("qwen/config.json");
    assertThat(names(find("*/*.json"))).containsExactly("qwen/config.json");
    assertThat(names(find("**/*.gguf"))).containsExactly("deep/a/b/weights.gguf", "weights.gguf");
    assertThat(names(find("deep/**"))).containsExactly("deep/a/b/weights.gguf");
  }

  /** As a hub's cache lies: snapshots of links into a folder of blobs. */
  @Test
  void followsLinksAndCountsAFileOnce() throws IOException {
    Files.createDirectories(folder.resolve("snapshot"));
    Files.createSymbolicLink(folder.resolve("snapshot/one.gguf"), folder.resolve("weights.gguf"));
    Files.createSymbolicLink(folder.resolve("snapshot/two.gguf"), folder.resolve("weights.gguf"));
    Files.createSymbolicLink(folder.resolve("latest"), folder.resolve("snapshot"));
    assertThat(names(find("latest/*.gguf", "snapshot/*"))).containsExactly("weights.gguf");
  }

  @Test
  void followsNoLoopAndMindsNoDanglingLink() throws IOException {
    Files.createSymbolicLink(folder.resolve("deep/a/again"), folder.resolve("deep"));
    Files.createSymbolicLink(folder.resolve("deep/gone.gguf"), folder.resolve("nowhere"));
    ModelFiles found = find("deep/**/*.gguf");
    assertThat(names(found)).containsExactly("deep/a/b/weights.gguf");
    assertThat(found.problems()).isEmpty();
  }

  @Test
  void tellsWhatNamesNothing() {
    ModelFiles found = find("qwen/*.gguf", "nowhere/*", "qwen", "weights.gguf");
    assertThat(names(found)).containsExactly("weights.gguf");
    assertThat(found.problems())
        .containsExactly(
            folder + "/qwen/*.gguf names no file",
            folder + "/nowhere/* names no file",
            folder + "/qwen names no file");
  }

  @Test
  void looksThroughNoMoreNamesThanItsLimit() throws IOException {
    Path many = Files.createDirectories(folder.resolve("many"));
    Path links = Files.createDirectories(folder.resolve("links"));
    for (int n = 0; n < 400; n++) {
      Files.createFile(many.resolve("f" + n));
      if (n < 300) {
        Files.createSymbolicLink(links.resolve("l" + n), many);
      }
    }
    ModelFiles found = find("links/**");
    assertThat(found.files()).isEmpty();
    assertThat(found.problems()).singleElement().asString().contains("more than 100000 names");
  }
}
