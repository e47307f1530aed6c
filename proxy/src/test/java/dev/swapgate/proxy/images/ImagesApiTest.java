package dev.swapgate.proxy.images;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.runtime.Gate;
import dev.swapgate.proxy.RecordedGate;
import dev.swapgate.proxy.Views;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pictures asked of the chat listener, while chat itself is shut. */
class ImagesApiTest {
  private static final String BARN = "{'model':'portrait','prompt':'a red barn'}";
  private static final byte[] PICTURE = "not truly a picture".getBytes(StandardCharsets.UTF_8);

  @TempDir Path folder;
  private ImageStreet street;

  @BeforeEach
  void open() throws Exception {
    street = new ImageStreet(folder);
  }

  @AfterEach
  void close() {
    street.close();
  }

  private HttpResponse<String> refused(String body) throws Exception {
    return street.ask(body).get(10, SECONDS);
  }

  private static String code(HttpResponse<String> answer) throws Exception {
    return ImageStreet.json(answer).at("/error/code").asText();
  }

  @Test
  void areMadeByAJobThatTheRequestWaitsForOutsideOfTheTurnstile() throws Exception {
    CompletableFuture<HttpResponse<String>> asked =
        street.ask(
            "{'model':'portrait','prompt':'a red barn','size':'640x480','seed':5,'user':'me'}");
    street.awaitJobs(1);
    assertThat(asked).isNotDone();
    assertThat(street.gate.turnstile().inside()).isZero();
    assertThat(street.chat.bufferedBytes()).isZero();
    assertThat(street.gate.requests.getFirst().set())
        .isEqualTo(
            Map.of("6.text", "a red barn", "5.width", "640", "5.height", "480", "3.seed", "5"));

    street.done("j1", Map.of("a.png", PICTURE, "notes.txt", PICTURE));

    HttpResponse<String> answer = asked.get(10, SECONDS);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("X-Swapgate-Answered-By")).hasValue("gate");
    JsonNode json = ImageStreet.json(answer);
    assertThat(json.path("created").asLong()).isEqualTo(RecordedGate.THEN.getEpochSecond());
    assertThat(json.path("data")).hasSize(1);
    assertThat(Base64.getDecoder().decode(json.at("/data/0/b64_json").asText())).isEqualTo(PICTURE);
  }

  @Test
  void comeWholeHoweverLargeAndManyTheyAre() throws Exception {
    Random random = new Random(7);
    byte[] large = new byte[5_000_001];
    random.nextBytes(large);
    CompletableFuture<HttpResponse<String>> asked =
        street.ask("{'model':'portrait','prompt':'x','n':2}");
    street.awaitJobs(2);
    assertThat(street.gate.requests)
        .as("each has a seed of its own")
        .extracting(request -> request.set().get("3.seed"))
        .doesNotHaveDuplicates()
        .doesNotContainNull();
    street.done("j1", Map.of("a.png", large));
    assertThat(asked).isNotDone();
    street.done("j2", Map.of("b.png", PICTURE, "c.webp", new byte[0]));

    JsonNode data = ImageStreet.json(asked.get(10, SECONDS)).path("data");

    assertThat(data).hasSize(3);
    assertThat(Base64.getDecoder().decode(data.at("/0/b64_json").asText())).isEqualTo(large);
    assertThat(data.at("/2/b64_json").asText()).isEmpty();
  }

  @Test
  void aRetryJoinsAndANewWishDoesNot() throws Exception {
    try (Socket leaving = new Socket("127.0.0.1", street.port())) {
      String body = BARN.replace('\'', '"');
      leaving
          .getOutputStream()
          .write(
              ("POST "
                      + ImagesDesk.PATH
                      + " HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: "
                      + body.length()
                      + "\r\n\r\n"
                      + body)
                  .getBytes(StandardCharsets.UTF_8));
      street.awaitJobs(1);
    }
    CompletableFuture<HttpResponse<String>> retry =
        street.ask("{'prompt':'a red barn',  'model':'portrait'}");
    street.done("j1", Map.of("a.png", PICTURE));
    assertThat(retry.get(10, SECONDS).statusCode()).isEqualTo(200);
    assertThat(street.gate.requests).as("the retry made none").hasSize(1);

    CompletableFuture<HttpResponse<String>> again = street.ask(BARN);

    street.awaitJobs(2);
    street.done("j2", Map.of("b.png", PICTURE));
    assertThat(again.get(10, SECONDS).statusCode()).isEqualTo(200);
    assertThat(street.gate.requests)
        .extracting(JobRequest::set)
        .as("a new picture, not the same one again")
        .doesNotHaveDuplicates();
  }

  @Test
  void whatWasMadeForOneWhoLeftIsKeptForAWhile() throws Exception {
    CompletableFuture<HttpResponse<String>> left = street.ask(BARN);
    street.awaitJobs(1);
    left.cancel(true);
    street.done("j1", Map.of("a.png", PICTURE));
    street.now = street.now.plus(Duration.ofMinutes(9));

    assertThat(street.ask(BARN).get(10, SECONDS).statusCode()).isEqualTo(200);
    assertThat(street.gate.requests).hasSize(1);

    CompletableFuture<HttpResponse<String>> late = street.ask("{'model':'portrait','prompt':'y'}");
    street.awaitJobs(2);
    late.cancel(true);
    street.done("j2", Map.of("a.png", PICTURE));
    street.now = street.now.plus(Duration.ofMinutes(11));
    street.ask("{'model':'portrait','prompt':'y'}");
    street.awaitJobs(3);
  }

  @Test
  void aFailureIsToldOnceWithItsReason() throws Exception {
    CompletableFuture<HttpResponse<String>> asked = street.ask(BARN);
    street.awaitJobs(1);
    street.end("j1", Job.State.FAILED, "node 3 (KSampler): out of memory", List.of());

    HttpResponse<String> answer = asked.get(10, SECONDS);

    assertThat(answer.statusCode()).as("a status that is not tried again").isEqualTo(422);
    assertThat(code(answer)).isEqualTo("job_failed");
    assertThat(ImageStreet.json(answer).at("/error/message").asText())
        .isEqualTo("job j1 failed: node 3 (KSampler): out of memory");
    street.ask(BARN);
    street.awaitJobs(2);
  }

  @Test
  void aJobWithoutAPictureSaysWhereItsFilesAre() throws Exception {
    CompletableFuture<HttpResponse<String>> asked = street.ask(BARN);
    street.awaitJobs(1);
    street.done("j1", Map.of("film.mp4", PICTURE));

    assertThat(asked.get(10, SECONDS).body()).contains("no_picture", "swapgate fetch j1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "unsupported_response_format | 'response_format':'url'",
        "unsupported_stream          | 'stream':true",
        "bad_size                    | 'size':'large'",
        "bad_n                       | 'n':11",
        "refused_request             | 'seed':1,'prompt':'impossible'",
      })
  void whatCannotBeGivenIsRefusedAtOnce(String code, String fields) throws Exception {
    HttpResponse<String> answer = refused("{'model':'portrait'," + fields + "}");

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(code(answer)).isEqualTo(code);
    assertThat(street.gate.requests).isEmpty();
  }

  @Test
  void refusalsOfTheBoxCarryRetryAfter() throws Exception {
    street.gate.refuses =
        Optional.of(new Gate.RefusedException(Gate.RefusedException.Kind.FULL, "1000 jobs wait"));
    HttpResponse<String> full = refused(BARN);
    assertThat(full.statusCode()).isEqualTo(429);
    assertThat(full.headers().firstValue("Retry-After")).hasValue("170");
    assertThat(ImageStreet.json(full).at("/error/retry_after").asInt()).isEqualTo(170);

    street.gate.view = Views.degraded("vllm exited with code 1");
    HttpResponse<String> degraded = refused("{'model':'portrait','prompt':'other'}");
    assertThat(degraded.statusCode()).isEqualTo(503);
    assertThat(code(degraded)).isEqualTo("degraded");
    assertThat(degraded.headers().firstValue("Retry-After")).isPresent();
  }

  @Test
  void aBrowserSentByAPageElsewhereIsRefused() throws Exception {
    assertThat(street.ask(BARN, "text/plain").get(10, SECONDS).statusCode()).isEqualTo(415);
    assertThat(
            street
                .ask(BARN, "application/json", "Sec-Fetch-Site", "cross-site")
                .get(10, SECONDS)
                .statusCode())
        .isEqualTo(403);
    assertThat(street.gate.requests).isEmpty();
  }

  @Test
  void anotherModelIsTheEnginesMatter() throws Exception {
    HttpResponse<String> answer = refused("{'model':'dall-e-3','prompt':'x'}");

    assertThat(answer.statusCode()).as("chat is shut").isEqualTo(429);
    assertThat(code(answer)).isEqualTo("rate_limit_exceeded");
    assertThat(street.gate.requests).isEmpty();
  }

  @Test
  void noMoreWaitThanThereAreConnectionsFor() throws Exception {
    for (int i = 0; i < 64; i++) {
      street.ask("{'model':'portrait','prompt':'" + i + "'}");
    }
    street.awaitJobs(64);

    assertThat(refused(BARN).statusCode()).isEqualTo(429);
    assertThat(street.gate.requests).hasSize(64);
  }
}
