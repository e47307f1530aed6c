package dev.swapgate.proxy.fallback;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OpeningTest {

  private static ProviderHead head(int status, String type) {
    return new ProviderHead(
        status, HttpHeaders.of(Map.of("Content-Type", List.of(type)), (name, value) -> true));
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Opening opening(int status, String type, String text) {
    Opening opening = new Opening(head(status, type));
    opening.add(bytes(text));
    return opening;
  }

  @Test
  void aStreamIsKnownByItsFirstWholeEvent() {
    Opening opening = new Opening(head(200, "text/event-stream"));
    opening.add(bytes(": OPENROUTER PROCESSING\n\nevent: x\nda"));
    assertThat(opening.isKnown()).isFalse();
    opening.add(bytes("ta: {\"error\":{\"code\":429}}"));
    assertThat(opening.isKnown()).isFalse();
    opening.add(bytes("\r\n"));

    assertThat(opening.isKnown()).isTrue();
    assertThat(opening.answered().hint().status()).hasValue(429);
  }

  @Test
  void aGoodFirstEventIsGood() {
    Opening opening =
        opening(
            200,
            "text/event-stream; charset=utf-8",
            "data: {\"id\":\"1\",\"choices\":[{\"delta\":{\"content\":\"\\\"error\\\":\"}}]}\n\n");

    assertThat(opening.isKnown()).isTrue();
    assertThat(opening.answered().hint().isError()).isFalse();
  }

  @Test
  void aWholeAnswerIsKnownByItsBeginning() {
    assertThat(opening(200, "application/json", "{\"id\":\"chatcmpl-1\"").isKnown()).isFalse();
    assertThat(
            opening(200, "application/json", "{\"id\":\"chatcmpl-1\"" + " ".repeat(60) + ",")
                .isKnown())
        .isTrue();
  }

  @Test
  void aWholeAnswerThatBeginsAsAnErrorIsReadToItsEnd() {
    Opening opening =
        opening(
            200,
            "application/json",
            " { \"error\" : {\"message\":\"" + "x".repeat(100) + "\",\"code\":\"402\",");
    assertThat(opening.isKnown()).isFalse();
    opening.add(bytes("\"type\":\"rate_limit_error\"}}"));
    opening.end();

    assertThat(opening.isKnown()).isTrue();
    assertThat(opening.answered().hint().status()).hasValue(429);
  }

  @Test
  void anErrorThatIsCutOffIsStillOne() {
    Opening opening =
        opening(200, "application/json", "{\"error\":{\"message\":\"" + "x".repeat(20_000));

    assertThat(opening.isKnown()).isTrue();
    assertThat(opening.answered().hint().isError()).isTrue();
  }

  @Test
  void nothingOfItIsLost() {
    Opening opening = opening(200, "text/event-stream", ": hello\n");
    opening.add(bytes("data: 1\n\n"));
    StringBuilder kept = new StringBuilder();
    opening.kept().forEach(one -> kept.append(StandardCharsets.UTF_8.decode(one)));

    assertThat(kept.toString()).isEqualTo(": hello\ndata: 1\n\n");
  }

  @Test
  void aLaterErrorOfAStreamIsSeen() {
    StreamWatch watch = new StreamWatch(head(200, "text/event-stream"));
    watch.pass(bytes("data: {\"choices\":[{\"delta\":{\"content\":\"{\\\"error\\\":{}\"}}]}\n\n"));
    assertThat(watch.answered().hint().isError()).isFalse();
    watch.pass(bytes("data: {\"id\":\"1\",\"err"));
    watch.pass(bytes("or\":{\"code\":429},\"choices\":[]}\n\ndata: [DONE]\n\n"));

    assertThat(watch.answered().hint().status()).hasValue(429);
  }
}
