package dev.swapgate.proxy.images;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.GateEvent;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.proxy.RecordedGate;
import dev.swapgate.proxy.RecordedStore;
import dev.swapgate.proxy.StreetAdapter;
import dev.swapgate.proxy.chat.AdmissionHandler;
import dev.swapgate.proxy.chat.ChatSettings;
import dev.swapgate.proxy.chat.ChatWitness;
import dev.swapgate.proxy.fallback.Fallback;
import dev.swapgate.proxy.fallback.FallbackSettings;
import dev.swapgate.proxy.http.Listener;
import dev.swapgate.proxy.workflows.Workflow;
import dev.swapgate.proxy.workflows.Workflows;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/** The chat listener with the images API, in front of a gate that notes what it is asked. */
final class ImageStreet implements AutoCloseable {
  static final ObjectMapper JSON = new ObjectMapper();
  private static final Backend.Id COMFYUI = new Backend.Id("comfyui");

  final RecordedStore store = new RecordedStore();
  final RecordedGate gate = new RecordedGate(store);
  private final Fallback fallback = new Fallback(FallbackSettings.off());
  final AdmissionHandler chat;
  volatile Instant now = RecordedGate.THEN;
  private final Path results;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final Listener listener;
  private final HttpClient client = HttpClient.newHttpClient();

  ImageStreet(Path folder) throws IOException {
    results = folder.resolve("results");
    chat =
        AdmissionHandler.open(
            gate,
            this::now,
            new ChatSettings(
                Map.of(
                    new Backend.Id("vllm"),
                    new ChatSettings.EngineSettings(URI.create("http://127.0.0.1:9"), Map.of())),
                Duration.ZERO,
                ChatSettings.Limits.standard(),
                folder),
            ChatWitness.NONE,
            () -> fallback,
            ImagesDesk.open(
                gate,
                store,
                () -> new Workflows(List.of(portrait()), Map.of(COMFYUI, "comfyui")),
                Map.of(COMFYUI, new Seeded()),
                results,
                this::now,
                executor));
    listener = Listener.open(new InetSocketAddress("127.0.0.1", 0), 256, chat);
  }

  private Now now() {
    return new Now(SteadyClock.system().now().steady(), now);
  }

  private static Workflow portrait() {
    JsonNodeFactory json = JsonNodeFactory.instance;
    return new Workflow(
        "portrait",
        COMFYUI,
        Path.of("/portrait.json"),
        true,
        "image",
        "{}",
        List.of(
            new Workflow.Input("prompt", "6.text", Workflow.Kind.TEXT, json.textNode("a cat")),
            new Workflow.Input("seed", "3.seed", Workflow.Kind.NUMBER, json.numberNode(7)),
            new Workflow.Input("width", "5.width", Workflow.Kind.NUMBER, json.numberNode(512)),
            new Workflow.Input("height", "5.height", Workflow.Kind.NUMBER, json.numberNode(512))));
  }

  CompletableFuture<HttpResponse<String>> ask(String json) {
    return ask(json, "application/json");
  }

  CompletableFuture<HttpResponse<String>> ask(String json, String type, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + ImagesDesk.PATH))
            .timeout(Duration.ofSeconds(20))
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofString(json.replace('\'', '"')));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  int port() {
    return listener.address().getPort();
  }

  static JsonNode json(HttpResponse<String> answer) throws IOException {
    return JSON.readTree(answer.body());
  }

  /** Waits until so many jobs were handed in. */
  void awaitJobs(int count) {
    until(() -> gate.requests.size() >= count, count + " jobs");
  }

  void until(BooleanSupplier so, String what) {
    Duration deadline = now().steady().plusSeconds(10);
    while (!so.getAsBoolean()) {
      if (now().steady().compareTo(deadline) > 0) {
        throw new AssertionError("not within 10 s: " + what);
      }
      Thread.yield();
    }
  }

  /** Ends a job with files of these contents, and has the gate say so. */
  void done(String id, Map<String, byte[]> files) throws IOException {
    Path folder = Files.createDirectories(results.resolve(id));
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Files.write(folder.resolve(file.getKey()), file.getValue());
    }
    end(id, Job.State.DONE, "", files.keySet().stream().sorted().toList());
  }

  void end(String id, Job.State state, String error, List<String> files) {
    store.update(store.job(new Job.Id(id)).orElseThrow().ended(state, error, files, now));
    gate.tell(
        new GateEvent(
            now, GateEvent.Level.INFO, "job", "ended", "comfyui", id, Optional.of(state)));
  }

  @Override
  public void close() {
    listener.close();
    executor.shutdownNow();
  }

  /** Knows one seed, and refuses a prompt that says so. */
  private static final class Seeded extends StreetAdapter {
    @Override
    public Optional<String> refusal(JobRequest request) {
      return request.set().containsValue("impossible")
          ? Optional.of("6.text cannot be impossible")
          : Optional.empty();
    }

    @Override
    public Map<String, String> reseeded(JobRequest request, long seed) {
      return Map.of("3.seed", Long.toString(seed));
    }
  }
}
