package dev.swapgate.proxy.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.proxy.admin.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrefetchCheckTest {

  private static final OptionalLong PLENTY = OptionalLong.of(64L << 30);

  @TempDir Path folder;

  @BeforeEach
  void model() throws IOException {
    Files.write(folder.resolve("model.gguf"), new byte[3 << 20]);
  }

  private List<Finding> findings(OptionalLong most, String... globs) {
    return PrefetchCheck.findings(
        Map.of(
            new Backend.Id("vllm"),
            List.of(globs).stream().map(glob -> folder + "/" + glob).toList()),
        most);
  }

  @Test
  void filesThatAreThereAndFitAreAllRight() {
    assertThat(findings(PLENTY, "*.gguf")).isEmpty();
    assertThat(findings(OptionalLong.empty(), "*.gguf")).isEmpty();
    assertThat(PrefetchCheck.findings(Map.of(), PLENTY)).isEmpty();
  }

  @Test
  void aGlobThatNamesNothingIsAWarning() {
    assertThat(findings(PLENTY, "*.safetensors"))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.id()).isEqualTo("prefetch_unreadable");
              assertThat(one.severity()).isEqualTo(Finding.Severity.WARNING);
              assertThat(one.backend()).isEqualTo("vllm");
              assertThat(one.what()).isEqualTo(folder + "/*.safetensors names no file");
              assertThat(one.mend()).contains("engines.vllm.prefetch", "read-only");
            });
  }

  @Test
  void filesThatNeverFitAreAWarning() {
    assertThat(findings(OptionalLong.of(2L << 30), "*.gguf"))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.id()).isEqualTo("prefetch_too_large");
              assertThat(one.what()).contains("never more than 2.0 GiB of memory");
            });
  }
}
