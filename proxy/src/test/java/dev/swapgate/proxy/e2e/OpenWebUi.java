package dev.swapgate.proxy.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * What Open WebUI does with the address of a ComfyUI when its image button is pressed: a WebSocket
 * first, which must open; then the prompt, the word over the WebSocket that it was executed, the
 * history, and each picture. It calls itself Mozilla, and knows of nothing in between.
 */
final class OpenWebUi implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(120);

  private final HttpClient client = HttpClient.newHttpClient();
  private final URI comfyUi;
  private final String clientId;
  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

  OpenWebUi(URI comfyUi, String clientId) {
    this.comfyUi = comfyUi;
    this.clientId = clientId;
  }

  /** The pictures of a workflow, in the order of its nodes. */
  List<byte[]> makes(String workflow) throws Exception {
    URI socket = URI.create("ws://" + comfyUi.getAuthority() + "/ws?clientId=" + clientId);
    client
        .newWebSocketBuilder()
        .header("Authorization", "Bearer none")
        .buildAsync(socket, new Ears())
        .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    String prompt = "{\"prompt\":%s,\"client_id\":\"%s\"}".formatted(workflow, clientId);
    String id =
        AdminApi.parse(
                new String(
                    call(
                        request("/prompt")
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString(prompt)))))
            .path("prompt_id")
            .asText();
    awaitExecuted(id);
    List<byte[]> pictures = new ArrayList<>();
    JsonNode history = AdminApi.parse(new String(call(request("/history/" + id)))).path(id);
    for (JsonNode node : history.path("outputs")) {
      for (JsonNode image : node.path("images")) {
        pictures.add(
            call(
                request(
                    "/view?filename=%s&subfolder=%s&type=%s"
                        .formatted(
                            image.path("filename").asText(),
                            image.path("subfolder").asText(),
                            image.path("type").asText()))));
      }
    }
    return pictures;
  }

  private void awaitExecuted(String id) throws InterruptedException {
    while (true) {
      String text = heard.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
      if (text == null) {
        throw new AssertionError("nothing was said of " + id + " for " + LIMIT);
      }
      JsonNode message = AdminApi.parse(text);
      JsonNode data = message.path("data");
      if (message.path("type").asText().equals("executing")
          && data.path("node").isNull()
          && data.path("prompt_id").asText().equals(id)) {
        return;
      }
    }
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(comfyUi + path))
        .timeout(LIMIT)
        .header("User-Agent", "Mozilla/5.0")
        .header("Authorization", "Bearer none");
  }

  private byte[] call(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<byte[]> answer =
        client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    if (answer.statusCode() != 200) {
      throw new AssertionError(answer + ": " + new String(answer.body()));
    }
    return answer.body();
  }

  /** Its WebSocket stays open until then. */
  @Override
  public void close() {
    client.shutdownNow();
  }

  private final class Ears implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        heard.add(text.toString());
        text.setLength(0);
      }
      socket.request(1);
      return null;
    }
  }
}
