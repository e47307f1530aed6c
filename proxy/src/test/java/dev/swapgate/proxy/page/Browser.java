package dev.swapgate.proxy.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A headless Chromium with one page, driven by its own protocol. */
public final class Browser implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Of 30 s each: a busy machine takes its time for a whole swap. */
  private static final int ROUNDS = 4;

  private static final String LISTENING = "DevTools listening on ";

  private final Process process;
  private final WebSocket socket;
  private final AtomicInteger lastId = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> calls = new ConcurrentHashMap<>();

  /** Addresses that the page asked for. */
  public final List<String> asked = new CopyOnWriteArrayList<>();

  /** What it complained of: errors of scripts, and what its policy kept it from. */
  public final List<String> complaints = new CopyOnWriteArrayList<>();

  private Browser(Process process, WebSocket.Builder builder, URI page) throws Exception {
    this.process = process;
    this.socket = builder.buildAsync(page, new Heard()).get(60, TimeUnit.SECONDS);
    call("Page.enable", Map.of());
    call("Network.enable", Map.of());
    call("Runtime.enable", Map.of());
    call("Log.enable", Map.of());
  }

  /** Starts the browser of the machine; {@code scripts/test} installs it where there is none. */
  public static Browser open(Path profile) throws Exception {
    Process process =
        new ProcessBuilder(
                program(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
                "--no-first-run",
                "--remote-debugging-port=0",
                "--remote-allow-origins=*",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      HttpClient client = HttpClient.newHttpClient();
      URI tools = URI.create(endpoint(process));
      HttpResponse<String> pages =
          client.send(
              HttpRequest.newBuilder(URI.create("http://" + tools.getAuthority() + "/json/list"))
                  .timeout(LIMIT)
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      for (JsonNode page : JSON.readTree(pages.body())) {
        if (page.path("type").asText().equals("page")) {
          URI address = URI.create(page.path("webSocketDebuggerUrl").asText());
          return new Browser(process, client.newWebSocketBuilder(), address);
        }
      }
      throw new IOException("the browser has no page: " + pages.body());
    } catch (Exception e) {
      process.destroyForcibly();
      throw e;
    }
  }

  private static String program() {
    return Stream.of("chromium", "google-chrome")
        .filter(
            name ->
                Stream.of(System.getenv("PATH").split(":"))
                    .anyMatch(folder -> Files.isExecutable(Path.of(folder, name))))
        .findFirst()
        .orElseThrow(
            () ->
                new AssertionError(
                    "no chromium or google-chrome on PATH; scripts/test installs the first"));
  }

  private static String endpoint(Process process) throws Exception {
    BufferedReader lines = process.errorReader();
    return CompletableFuture.supplyAsync(
            () ->
                lines
                    .lines()
                    .filter(line -> line.startsWith(LISTENING))
                    .findFirst()
                    .orElseThrow()
                    .substring(LISTENING.length()))
        .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  private JsonNode call(String method, Map<String, ?> parameters) throws Exception {
    int id = lastId.incrementAndGet();
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    calls.put(id, answer);
    ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
    message.set("params", JSON.valueToTree(parameters));
    socket.sendText(message.toString(), true).get(60, TimeUnit.SECONDS);
    return answer.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  public void show(String address) throws Exception {
    call("Page.navigate", Map.of("url", address));
  }

  /** A window of that size, in light or dark. */
  public void look(int width, int height, boolean dark) throws Exception {
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 500));
    call(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
  }

  /** The value of an expression; a promise is waited for. */
  public JsonNode run(String script) throws Exception {
    JsonNode answer =
        call(
            "Runtime.evaluate",
            Map.of("expression", script, "awaitPromise", true, "returnByValue", true));
    if (answer.has("exceptionDetails")) {
      throw new AssertionError(script + " failed: " + answer.get("exceptionDetails"));
    }
    return answer.at("/result/value");
  }

  /** Waits in the page until the expression is true; fails with what the page shows then. */
  public void await(String condition) throws Exception {
    String look =
        "new Promise(done => { let left = 300; const look = () => { let is = false;"
            + " try { is = Boolean("
            + condition
            + "); } catch { is = false; }"
            + " if (is || left-- === 0) done(is); else setTimeout(look, 100); }; look(); })";
    for (int round = 0; round < ROUNDS; round++) {
      if (run(look).booleanValue()) {
        return;
      }
    }
    throw new AssertionError(
        "not within 120 s: " + condition + "\n" + run("document.body.innerText").asText());
  }

  /** The whole page as a picture. */
  public void shoot(Path file) throws Exception {
    JsonNode shot =
        call("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true));
    Files.write(file, Base64.getDecoder().decode(shot.path("data").asText()));
  }

  @Override
  public void close() {
    // Asked to, it takes its profile's links away; told to by a signal, it does not.
    socket.sendText("{\"id\":0,\"method\":\"Browser.close\"}", true);
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
    socket.abort();
  }

  private final class Heard implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        String whole = text.toString();
        text.setLength(0);
        heard(whole);
      }
      from.request(1);
      return null;
    }

    private void heard(String message) {
      try {
        JsonNode said = JSON.readTree(message);
        if (said.has("id")) {
          CompletableFuture<JsonNode> call = calls.remove(said.get("id").intValue());
          if (call != null) {
            call.complete(said.path("result"));
          }
          return;
        }
        switch (said.path("method").asText()) {
          case "Network.requestWillBeSent" -> asked.add(said.at("/params/request/url").asText());
          case "Runtime.exceptionThrown", "Log.entryAdded" -> complaints.add(message);
          default -> {}
        }
      } catch (IOException e) {
        complaints.add(e + ": " + message);
      }
    }
  }
}
