package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The engine's files are read while a job runs, through whole swaps of the whole program. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class PrefetchSwapTest {

  private static final int SIZE = 24 << 20;

  @TempDir Path folder;

  @Test
  void filesAreReadInAJobsLastPartAndNeverWhenTheyDoNotFit() throws Exception {
    Path models = Files.createDirectory(folder.resolve("models"));
    Files.write(models.resolve("model.safetensors"), new byte[SIZE]);
    try (FakeBox box = new FakeBox(folder, Map.of("SIM_STEP_TIME", "200ms"))) {
      Path config =
          box.config(
              "    drain: 30s",
              "    drain: 30s\n    prefetch: ['" + models + "/*.safetensors', '/nowhere/*']",
              "generation: 100s",
              "generation: 1s");
      try (CommandLine swapgate = CommandLine.serve(folder, config, box.admin());
          AdminApi admin = new AdminApi(box.admin(), swapgate::said)) {
        admin.awaitChat(Place.VLLM);
        assertThat(admin.get("/api/v1/check").toString())
            .contains("prefetch_unreadable", "/nowhere/* names no file");

        swap(admin);
        assertThat(read(admin)).isEqualTo(SIZE);

        try (RandomAccessFile hollow =
            new RandomAccessFile(models.resolve("big.safetensors").toFile(), "rw")) {
          hollow.setLength(1L << 40); // Takes no room on the disk, and fits into no memory.
        }
        swap(admin);
        assertThat(read(admin)).as("nothing more").isEqualTo(SIZE);
        assertThat(admin.get("/api/v1/check").toString()).contains("prefetch_too_large");
        assertThat(box.journal().overlaps()).isEmpty();
      }
    }
  }

  private static void swap(AdminApi admin) throws Exception {
    String job = admin.submit(Place.COMFYUI, "workflow", SwapIT.workflow());
    assertThat(admin.awaitEnd(job).path("state").asText()).isEqualTo("done");
    admin.awaitChat(Place.VLLM);
  }

  /** Bytes, as they are counted. */
  private static long read(AdminApi admin) {
    return admin
        .text("/metrics")
        .lines()
        .filter(line -> line.startsWith("swapgate_prefetch_bytes_total "))
        .mapToLong(line -> Math.round(Double.parseDouble(line.split(" ")[1])))
        .findFirst()
        .orElse(-1);
  }
}
