package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.backends.sim.SimSpeech;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two gigabytes pass through a swapgate that has an eighth of that to live in. */
@Timeout(300)
class HugeResultTest {
  @TempDir private Path folder;

  @Test
  void isNeverInMemoryWhole() throws Exception {
    String keys = Example.named("kokoro-tts").mediaKeys();
    try (FakeBox box = FakeBox.with(Place.SPEECH, keys, Map.of(), folder);
        CommandLine swapgate = box.serve();
        AdminApi admin = new AdminApi(box.admin(), swapgate::said)) {
      String id = admin.submit(Place.SPEECH, "request", "{\"input\":\"sim:huge\"}");

      JsonNode job = admin.awaitEnd(id);
      assertThat(job.path("state").asText()).as("%s", job).isEqualTo("done");
      Path file = box.results().resolve(id).resolve("speech.mp3");
      assertThat(file).hasSize(SimSpeech.HUGE_BYTES);

      MessageDigest sum = MessageDigest.getInstance("SHA-256");
      try (InputStream body = admin.open("jobs/" + id + "/files/speech.mp3");
          OutputStream nowhere = new DigestOutputStream(OutputStream.nullOutputStream(), sum)) {
        assertThat(body.transferTo(nowhere)).isEqualTo(SimSpeech.HUGE_BYTES);
      }
      assertThat(job.path("sha256").path("speech.mp3").asText())
          .isEqualTo(HexFormat.of().formatHex(sum.digest()));
      admin.awaitChat(Place.VLLM);
    }
  }
}
