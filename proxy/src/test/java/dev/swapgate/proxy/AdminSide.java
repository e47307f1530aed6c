package dev.swapgate.proxy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.core.Now;
import dev.swapgate.proxy.admin.AdminParts;
import dev.swapgate.proxy.admin.AdminSite;
import dev.swapgate.proxy.admin.Finding;
import dev.swapgate.proxy.admin.Surroundings;
import dev.swapgate.proxy.history.SwapRecord;
import dev.swapgate.proxy.jobs.JobRoutes;
import dev.swapgate.proxy.workflows.Workflow;
import dev.swapgate.proxy.workflows.Workflows;
import io.undertow.Undertow;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A real admin listener on loopback before a recorded gate, and a client for it. */
public final class AdminSide implements AutoCloseable {
  public static final String TOKEN = "a-token-that-only-tests-know";
  private static final ObjectMapper JSON = new ObjectMapper();

  public final RecordedStore store = new RecordedStore();
  public final RecordedGate gate = new RecordedGate(store);
  public volatile Duration steady = Duration.ofSeconds(15);
  public volatile SwapRecord swap;
  public final List<Map<String, Object>> fallback = new CopyOnWriteArrayList<>();
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final AdminSite site;
  private final Undertow server;
  private final HttpClient client = HttpClient.newHttpClient();

  public AdminSide(Path folder, boolean tokenRequired) {
    JobRoutes jobs =
        new JobRoutes(
            gate,
            store,
            Map.of(new Backend.Id("comfyui"), new NamedAdapter()),
            AdminSide::workflows,
            AdminSide::length,
            folder.resolve("results"),
            folder.resolve("uploads"),
            this::now,
            executor);
    site =
        new AdminSite(
            new AdminParts(
                gate,
                store,
                new Known(),
                this::now,
                AdminSide::length,
                () -> Duration.ofMinutes(60),
                () ->
                    List.of(
                        new Finding(
                            "restart_always",
                            Finding.Severity.PROBLEM,
                            "comfyui",
                            "it restarts",
                            "both would run",
                            "docker update --restart no comfyui")),
                this::clears,
                () -> Optional.ofNullable(swap),
                executor),
            jobs::addTo,
            new AdminSite.Access("127.0.0.1", List.of("box.lan"), TOKEN, tokenRequired));
    server =
        Undertow.builder()
            .setIoThreads(1)
            .setWorkerThreads(2)
            .addHttpListener(0, "127.0.0.1", site.handler())
            .build();
    server.start();
  }

  /** One of one node, with a text and a seed to be given. */
  private static Workflows workflows() {
    Backend.Id comfyui = new Backend.Id("comfyui");
    JsonNodeFactory json = JsonNodeFactory.instance;
    Workflow portrait =
        new Workflow(
            "portrait",
            comfyui,
            Path.of("/etc/swapgate/portrait.json"),
            true,
            "image",
            "{\"6\":{\"class_type\":\"T\",\"inputs\":{\"text\":\"a cat\",\"seed\":7}}}",
            List.of(
                new Workflow.Input("prompt", "6.text", Workflow.Kind.TEXT, json.textNode("a cat")),
                new Workflow.Input("seed", "6.seed", Workflow.Kind.NUMBER, json.numberNode(7))));
    return new Workflows(List.of(portrait), Map.of(comfyui, "comfyui"));
  }

  private Now now() {
    return new Now(steady, RecordedGate.THEN);
  }

  private static Optional<Duration> length(String text) {
    return text.matches("\\d+m")
        ? Optional.of(Duration.ofMinutes(Long.parseLong(text.substring(0, text.length() - 1))))
        : Optional.empty();
  }

  public int port() {
    return ((InetSocketAddress) server.getListenerInfo().getFirst().getAddress()).getPort();
  }

  public HttpRequest.Builder at(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
        .timeout(Duration.ofSeconds(20));
  }

  public HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  public HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send(at(path));
  }

  public HttpResponse<String> post(String path, String json)
      throws IOException, InterruptedException {
    return send(
        at(path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json)));
  }

  public HttpResponse<String> put(String path, String json)
      throws IOException, InterruptedException {
    return send(
        at(path)
            .header("Content-Type", "application/json")
            .PUT(HttpRequest.BodyPublishers.ofString(json)));
  }

  public HttpResponse<String> delete(String path) throws IOException, InterruptedException {
    return send(at(path).DELETE());
  }

  public HttpResponse<java.io.InputStream> stream(String path)
      throws IOException, InterruptedException {
    return client.send(at(path).build(), HttpResponse.BodyHandlers.ofInputStream());
  }

  /** The status line for a request as it is written here: headers that a client would not send. */
  public String raw(String request) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      socket.getOutputStream().flush();
      String answer = new String(socket.getInputStream().readNBytes(12), StandardCharsets.UTF_8);
      return answer.substring(9);
    }
  }

  public static JsonNode json(HttpResponse<String> response) throws IOException {
    return JSON.readTree(response.body());
  }

  public static JsonNode json(String text) throws IOException {
    return JSON.readTree(text);
  }

  @Override
  public void close() {
    site.close();
    server.stop();
    executor.shutdownNow();
  }

  /** Refuses a workflow that says so. */
  private static final class NamedAdapter extends StreetAdapter {
    @Override
    public Optional<String> refusal(JobRequest request) {
      return request.json().contains("impossible")
          ? Optional.of("node 6 has no input impossible")
          : Optional.empty();
    }

    @Override
    public Map<String, String> reseeded(JobRequest request, long seed) {
      return request.json().contains("seed") ? Map.of("seed", Long.toString(seed)) : Map.of();
    }

    @Override
    public boolean remembersAnswers() {
      return true;
    }
  }

  private boolean clears(String cooldown) {
    fallback.clear();
    return cooldown.equals("openrouter");
  }

  private final class Known implements Surroundings {
    @Override
    public String cardName() {
      return "GeForce";
    }

    @Override
    public OptionalLong memoryFreeMib() {
      return OptionalLong.of(2048);
    }

    @Override
    public int held() {
      return 4;
    }

    @Override
    public List<Map<String, Object>> fallback() {
      return fallback;
    }

    @Override
    public String version() {
      return "0.1.0";
    }
  }
}
