package dev.swapgate.backends.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SimEngineTest {
  private static final String ASK =
      "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
  private static final String ASK_STREAM = ASK.replace("{\"model\"", "{\"stream\":true,\"model\"");

  final SimEngine engine =
      new SimEngine(
              new SimSettings(
                  Map.of(
                      "SIM_NAME", "vllm",
                      "SIM_PORT", "0",
                      "SIM_LOAD_TIME", "0ms",
                      "SIM_API_KEY", "secret",
                      "SIM_MODEL", "qwen",
                      "SIM_TOKENS", "3",
                      "SIM_TOKEN_DELAY", "1ms")))
          .open();
  final SimClient client = new SimClient(engine.port());
  final String[] key = {"Authorization", "Bearer secret"};

  @AfterEach
  void end() {
    engine.close();
  }

  @Test
  void answersHealthWithoutTheKeyAndModelsOnlyWithIt() throws Exception {
    assertThat(client.get("/health").status()).isEqualTo(200);
    assertThat(client.get("/v1/models").status()).isEqualTo(401);

    SimClient.Reply models = client.send(client.request("/v1/models").headers(key).build());
    assertThat(models.status()).isEqualTo(200);
    assertThat(models.at("data.0.id")).isEqualTo("qwen");
    assertThat(client.send(client.request("/v1/models/qwen").headers(key).build()).status())
        .isEqualTo(200);
    assertThat(client.send(client.request("/v1/models/none").headers(key).build()).status())
        .isEqualTo(404);
  }

  @Test
  void answersChatWholeAndAsEvents() throws Exception {
    SimClient.Reply whole = client.post("/v1/chat/completions", ASK, key);
    assertThat(whole.at("choices.0.message.content")).isEqualTo("vllm t1 t2");
    assertThat(whole.at("model")).isEqualTo("m");

    SimClient.Reply stream = client.post("/v1/chat/completions", ASK_STREAM, key);
    assertThat(stream.response().headers().firstValue("Content-Type").orElse(""))
        .startsWith("text/event-stream");
    List<String> events = List.of(stream.text().split("\n\n"));
    assertThat(events).hasSize(6).allMatch(event -> event.startsWith("data: "));
    assertThat(events.get(2)).contains("{\"content\":\" t1\"}");
    assertThat(events.getLast()).isEqualTo("data: [DONE]");
  }

  @Test
  void speaksTheOtherApis() throws Exception {
    assertThat(client.post("/v1/completions", "{\"prompt\":\"a\"}", key).at("choices.0.text"))
        .isEqualTo("vllm t1 t2");
    assertThat(client.post("/v1/messages", ASK, key).at("content.0.text")).isEqualTo("vllm t1 t2");
    assertThat(client.post("/v1/messages", ASK_STREAM, key).text())
        .contains("event: message_start\ndata: ")
        .contains("event: content_block_delta\ndata: ")
        .endsWith("event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n");
    String[] lines = client.post("/api/chat", ASK).text().split("\n");
    assertThat(lines).hasSize(4);
    assertThat(lines[3]).contains("\"done\":true");
    assertThat(client.post("/api/generate", "{\"stream\":false}").at("response"))
        .isEqualTo("vllm t1 t2");
    for (String path : List.of("/api/tags", "/api/version", "/props", "/version")) {
      assertThat(client.get(path).status()).as(path).isEqualTo(200);
    }
  }

  @Test
  void echoesWhatCameOverTheWire() throws Exception {
    String sent =
        "PUT /echo/a%2Fb?x=%20y HTTP/1.1\r\nhOst: h\r\nX-Odd: 1\r\nX-Odd: 2\r\n"
            + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
    try (Socket socket = new Socket("127.0.0.1", engine.port())) {
      socket.getOutputStream().write(sent.getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer)
          .startsWith("HTTP/1.1 200 OK\r\n")
          .contains("\"method\":\"PUT\",\"target\":\"/echo/a%2Fb?x=%20y\"")
          .contains("[\"hOst\",\"h\"],[\"X-Odd\",\"1\"],[\"X-Odd\",\"2\"]")
          .contains("\"framing\":\"chunked\",\"body_length\":3")
          .contains("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
  }

  @Test
  void noticesAClientThatLeavesBeforeTheFirstByte() throws Exception {
    try (Socket socket = asking("X-Sim-Prefill: 1h\r\n")) {
      client.until("/sim/stats", reply -> reply.at("running").equals(1L));
      assertThat(socket.isConnected()).isTrue();
    }
    SimClient.Reply stats = client.until("/sim/stats", reply -> reply.at("running").equals(0L));
    assertThat(stats.at("aborted")).isEqualTo(1L);
    assertThat(stats.at("tokens")).isEqualTo(0L);
  }

  @Test
  void stopsGeneratingForAClientThatLeavesAStream() throws Exception {
    try (Socket socket = asking("X-Sim-Tokens: 1000000\r\nX-Sim-Token-Delay: 2ms\r\n")) {
      assertThat(socket.getInputStream().readNBytes(2000)).hasSize(2000);
    }
    client.until("/sim/stats", reply -> reply.at("aborted").equals(1L));
  }

  @Test
  void breaksStreamsWhenAskedTo() throws Exception {
    assertThatThrownBy(
            () -> client.post("/v1/chat/completions", ASK_STREAM, with("X-Sim-Fault", "reset:2")))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(
            () -> client.post("/v1/chat/completions", ASK_STREAM, with("X-Sim-Fault", "end:-1")))
        .isInstanceOf(IOException.class);
    SimClient.Reply busy =
        client.post("/v1/chat/completions", ASK, with("X-Sim-Fault", "status:429"));
    assertThat(busy.status()).isEqualTo(429);
    assertThat(busy.at("error.type")).isEqualTo("engine_error");
  }

  @Test
  void keepsConnections() throws Exception {
    for (int i = 0; i < 5; i++) {
      client.post("/v1/chat/completions", ASK_STREAM, key);
    }
    assertThat(client.get("/sim/stats").at("connections")).isEqualTo(1L);
  }

  private String[] with(String name, String value) {
    return new String[] {key[0], key[1], name, value};
  }

  private Socket asking(String headers) throws IOException {
    Socket socket = new Socket("127.0.0.1", engine.port());
    String head =
        "POST /v1/chat/completions HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer secret\r\n"
            + headers
            + "Content-Length: "
            + ASK_STREAM.length()
            + "\r\n\r\n"
            + ASK_STREAM;
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }
}
