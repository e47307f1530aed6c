package dev.swapgate.backends.sim;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** From a request to its answer. Thread-safe. */
final class FakeDockerRoutes {
  /** Between the oldest daemon that counts, 1.41, and the newest, 1.52. */
  static final String API_VERSION = "1.43";

  private static final String RAW_STREAM = "application/vnd.docker.raw-stream";
  private static final Instant FOR_EVER = Instant.MAX.minusSeconds(1);

  private final FakeDockerBox box;
  private final FakeDockerExec exec = new FakeDockerExec();

  FakeDockerRoutes(FakeDockerBox box) {
    this.box = box;
  }

  /** What is called, for the script of faults: a verb and a container's name or "". */
  record Call(String verb, String container) {}

  Call call(FakeDockerRequest request) {
    List<String> path = request.path();
    if (path.size() < 2 || !path.get(0).equals("containers")) {
      return new Call(path.isEmpty() ? "" : path.get(0), "");
    }
    if (path.size() == 2) {
      boolean removes = request.method().equals("DELETE");
      return removes
          ? new Call("remove", name(path.get(1)))
          : new Call(path.get(1).equals("json") ? "list" : path.get(1), "");
    }
    String verb = path.get(2).equals("json") ? "inspect" : path.get(2);
    return new Call(verb, name(path.get(1)));
  }

  private String name(String nameOrId) {
    return box.find(nameOrId).map(container -> container.name).orElse(nameOrId);
  }

  FakeDockerAnswer answer(FakeDockerRequest request) {
    if (!request.version().isEmpty() && isTooNew(request.version())) {
      return FakeDockerAnswer.error(
          400,
          "client version "
              + request.version()
              + " is too new. Maximum supported API version is "
              + API_VERSION);
    }
    List<String> path = request.path();
    String first = path.isEmpty() ? "" : path.get(0);
    return switch (first) {
      case "_ping" -> ping(request.method());
      case "version" -> FakeDockerAnswer.json(200, version());
      case "info" -> FakeDockerAnswer.json(200, info());
      case "events" -> events(request);
      case "_fault" -> fault(request);
      case "containers" -> containers(request, path);
      case "exec" ->
          path.size() == 3 ? exec.answer(request, path.get(1), path.get(2)) : pageNotFound();
      default -> pageNotFound();
    };
  }

  /** Docker's clients ask by HEAD, whose answer has no body. */
  private static FakeDockerAnswer ping(String method) {
    return method.equals("HEAD")
        ? new FakeDockerAnswer.Whole(200, "", "")
        : new FakeDockerAnswer.Whole(200, "text/plain", "OK");
  }

  private static boolean isTooNew(String version) {
    return Integer.parseInt(version.replaceFirst(".*\\.", ""))
        > Integer.parseInt(API_VERSION.replaceFirst(".*\\.", ""));
  }

  private static FakeDockerAnswer pageNotFound() {
    return FakeDockerAnswer.error(404, "page not found");
  }

  private FakeDockerAnswer containers(FakeDockerRequest request, List<String> path) {
    if (path.size() == 2 && path.get(1).equals("json")) {
      return FakeDockerAnswer.json(200, box.list(request.is("all")));
    }
    if (path.size() == 2 && path.get(1).equals("create")) {
      return box.create(request.query().getOrDefault("name", ""), request.body());
    }
    if (path.size() < 2) {
      return pageNotFound();
    }
    Function<FakeDockerContainer, FakeDockerAnswer> action = action(request, path);
    return box.find(path.get(1))
        .map(action)
        .orElseGet(() -> FakeDockerAnswer.error(404, "No such container: " + path.get(1)));
  }

  private Function<FakeDockerContainer, FakeDockerAnswer> action(
      FakeDockerRequest request, List<String> path) {
    if (path.size() == 2 && request.method().equals("DELETE")) {
      return container -> box.remove(container, request.is("force"));
    }
    String verb = path.size() == 3 ? path.get(2) : "";
    return switch (request.method() + " " + verb) {
      case "GET json" -> container -> FakeDockerAnswer.json(200, container.inspected());
      case "GET logs" -> container -> logs(container, request);
      case "POST start" -> FakeDockerContainer::start;
      case "POST stop" -> container -> container.stop(seconds(request));
      case "POST kill" ->
          container -> container.kill(request.query().getOrDefault("signal", "SIGKILL"));
      case "POST pause" -> FakeDockerContainer::pause;
      case "POST unpause" -> FakeDockerContainer::unpause;
      case "POST exec" -> container -> exec.create(container, request.body());
      case "POST wait" -> container -> waits(container, request);
      default -> container -> pageNotFound();
    };
  }

  private static @Nullable Integer seconds(FakeDockerRequest request) {
    String text = request.query().getOrDefault("t", "");
    return text.matches("-?[0-9]{1,9}") ? Integer.valueOf(text) : null;
  }

  private static FakeDockerAnswer logs(FakeDockerContainer container, FakeDockerRequest request) {
    String tail = request.query().getOrDefault("tail", "all");
    int lines = tail.matches("[0-9]{1,9}") ? Integer.parseInt(tail) : Integer.MAX_VALUE;
    boolean follows = request.is("follow");
    return FakeDockerAnswer.stream(
        RAW_STREAM,
        sink ->
            container.log.write(
                request.is("stdout"),
                request.is("stderr"),
                lines,
                () -> follows && container.isRunning(),
                sink));
  }

  private static FakeDockerAnswer waits(FakeDockerContainer container, FakeDockerRequest request) {
    boolean nextExit = request.query().getOrDefault("condition", "").equals("next-exit");
    CompletableFuture<Integer> exit = container.nextExit();
    boolean over = !container.isRunning() && !nextExit;
    return FakeDockerAnswer.stream(
        "application/json",
        sink -> {
          int code = over ? container.state().exitCode() : get(exit);
          String json = Json.write(Map.of("StatusCode", code)) + "\n";
          sink.write(json.getBytes(StandardCharsets.UTF_8));
        });
  }

  private static int get(CompletableFuture<Integer> exit) throws IOException {
    try {
      return exit.get();
    } catch (InterruptedException | ExecutionException isClosing) {
      throw new IOException("no exit was seen", isClosing);
    }
  }

  private FakeDockerAnswer events(FakeDockerRequest request) {
    Predicate<FakeDockerEvents.Event> wanted = wanted(request.query().getOrDefault("filters", ""));
    Instant since = instant(request.query().getOrDefault("since", ""), Instant.now());
    Instant until = instant(request.query().getOrDefault("until", ""), FOR_EVER);
    return FakeDockerAnswer.stream(
        "application/json", sink -> box.events().follow(wanted, since, until, sink));
  }

  /** Seconds, with a fraction or without, since 1970. */
  private static Instant instant(String text, Instant otherwise) {
    return text.matches("[0-9]+(\\.[0-9]+)?")
        ? Instant.EPOCH.plusMillis((long) (Double.parseDouble(text) * 1000))
        : otherwise;
  }

  private static Predicate<FakeDockerEvents.Event> wanted(String filters) {
    Map<String, Object> all = filters.isEmpty() ? Map.of() : FakeDockerBody.object(filters);
    List<String> types = values(all.get("type"));
    List<String> names = values(all.get("container"));
    List<String> actions = values(all.get("event"));
    return event ->
        (types.isEmpty() || types.contains("container"))
            && (names.isEmpty() || names.contains(event.name()) || names.contains(event.id()))
            && (actions.isEmpty() || actions.contains(event.action()));
  }

  /** Filters come as a list or as a map from value to true. */
  private static List<String> values(@Nullable Object filter) {
    List<String> values = new ArrayList<>();
    if (filter instanceof List<?> list) {
      list.forEach(value -> values.add(String.valueOf(value)));
    } else if (filter instanceof Map<?, ?> map) {
      map.keySet().forEach(value -> values.add(String.valueOf(value)));
    }
    return values;
  }

  /** {@code POST /_fault?verb=stop&container=vllm&kind=LOST_REPLY&delay_ms=0}. */
  private FakeDockerAnswer fault(FakeDockerRequest request) {
    Map<String, String> query = request.query();
    Optional<DockerFaults.Kind> kind =
        List.of(DockerFaults.Kind.values()).stream()
            .filter(one -> one.name().equals(query.get("kind")))
            .findFirst();
    if (kind.isEmpty() || !query.getOrDefault("delay_ms", "0").matches("[0-9]{1,9}")) {
      return FakeDockerAnswer.error(
          400, "kind must be one of " + List.of(DockerFaults.Kind.values()));
    }
    Duration delay = Duration.ofMillis(Long.parseLong(query.getOrDefault("delay_ms", "0")));
    box.faults()
        .next(
            query.getOrDefault("verb", ""),
            query.getOrDefault("container", ""),
            new DockerFaults.Fault(kind.get(), delay));
    return FakeDockerAnswer.DONE;
  }

  private static Map<String, Object> version() {
    return Map.of(
        "Version", "swapgate-fake",
        "ApiVersion", API_VERSION,
        "MinAPIVersion", "1.24",
        "Os", "linux",
        "Arch", System.getProperty("os.arch", ""));
  }

  private Map<String, Object> info() {
    return Map.of(
        "ID", "swapgate-fake",
        "Name", "swapgate-fake",
        "ServerVersion", "swapgate-fake",
        "OSType", "linux",
        "Containers", box.list(true).size());
  }
}
