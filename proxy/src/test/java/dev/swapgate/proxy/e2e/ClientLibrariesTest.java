package dev.swapgate.proxy.e2e;

import static dev.swapgate.proxy.e2e.LibraryCall.HELD;
import static dev.swapgate.proxy.e2e.LibraryCall.LEFT;
import static dev.swapgate.proxy.e2e.LibraryCall.REFUSED_ONCE;
import static dev.swapgate.proxy.e2e.LibraryCall.REFUSED_TWICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.swapgate.proxy.app.ClientNames;
import dev.swapgate.proxy.clients.JavaLibraries;
import dev.swapgate.proxy.clients.NodeLibraries;
import dev.swapgate.proxy.clients.WireTap;
import dev.swapgate.proxy.e2e.LibraryCall.Client;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real client libraries, with their defaults, call while chat is open and then in the middle of
 * a swap of the whole program: each by the base URLs meant for it, all side by side.
 *
 * <p>The swap is made to last for a time that is more than any of the caps which clients put on a
 * Retry-After, and than the 60 s for which LangChain4j waits.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class ClientLibrariesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(160);

  /** What the first job is said to take: more than the 60 s that some clients believe. */
  private static final String GENERATION = "generation: 110s";

  private static final String STEPS = "\"steps\": 20";

  /** On a busy machine a library is late; it may not be early. */
  private static final Duration LATE = Duration.ofSeconds(15);

  private static final Duration EARLY = Duration.ofMillis(50);

  private static final List<Client> CLIENTS =
      List.of(
          java("openai-java 4.52.0", "openai-java", "openai-java", REFUSED_ONCE),
          java("Spring AI 2.0.0, OpenAI", "spring-ai", "spring-ai", REFUSED_ONCE),
          java("anthropic-java 3.14.0", "anthropic-java", "anthropic-java", REFUSED_ONCE),
          new Client(
              "LangChain4j 1.19.0",
              "langchain4j",
              true,
              "langchain4j",
              List.of(LEFT, 200),
              List.of(LEFT)),
          java("LangChain4j 1.19.0, timeout 15 min", "langchain4j-patient", "langchain4j", HELD),
          java("Hermes (its rule)", "hermes", "hermes", REFUSED_ONCE),
          node("openai 7.59.0", "openai", "openai-js", HELD),
          node("openai 7.59.0", "openai", "short", REFUSED_TWICE),
          node("openai 7.4.0", "openai-7", "openai-js", HELD),
          node("openai 7.4.0", "openai-7", "", REFUSED_ONCE),
          node("openai 6.10.0", "openai-6", "openai-js", HELD),
          node("openai 6.10.0", "openai-6", "short", REFUSED_TWICE),
          node("@anthropic-ai/sdk 1.14.0", "anthropic", "anthropic-js", REFUSED_ONCE),
          node("ai 6.0.326", "vercel", "vercel-ai", HELD),
          node("ai 6.0.326", "vercel", "short", REFUSED_TWICE),
          node("@langchain/openai 1.5.8", "langchain", "langchain-js", HELD),
          node("@langchain/openai 1.5.8", "langchain", "short", REFUSED_TWICE),
          node("ollama 0.6.4", "ollama", "ollama", HELD));

  @TempDir static Path folder;
  private static boolean hasNode;
  private static Map<String, String> paths;
  private static List<LibraryCall> open;
  private static List<LibraryCall> inSwap;
  private static int begunByTheEngine;

  private static Client java(String title, String library, String as, List<Integer> expected) {
    return new Client(title, library, true, as, expected, expected);
  }

  private static Client node(String title, String library, String as, List<Integer> expected) {
    return new Client(title, library, false, as, expected, expected);
  }

  @BeforeAll
  static void allCall() throws Exception {
    hasNode = NodeLibraries.areInstalled();
    Optional<NodeLibraries> node = hasNode ? Optional.of(new NodeLibraries()) : Optional.empty();
    try (FakeBox box = new FakeBox(folder, Map.of("SIM_STEP_TIME", "500ms"));
        CommandLine swapgate =
            CommandLine.serve(folder, box.config("generation: 100s", GENERATION), box.admin());
        AdminApi admin = new AdminApi(box.admin(), swapgate::said)) {
      admin.awaitChat(Place.VLLM);
      paths = paths(box.config());
      open = calls(box);
      begin(open, node);
      awaitEnds(open);

      String job = admin.submit(Place.COMFYUI, "workflow", longWorkflow());
      admin.awaitStatus("it runs", status -> status.path("phase").asText().equals("running"));
      inSwap = calls(box);
      begin(inSwap, node);
      awaitAll("waiting of ", inSwap, LibraryCall::waits);
      admin.delete("jobs/" + job);
      awaitEnds(inSwap);

      print();
      try (AdminApi engine = new AdminApi(box.server(Place.VLLM))) {
        begunByTheEngine = engine.get("/sim/stats").path("requests").asInt();
      }
    } finally {
      node.ifPresent(NodeLibraries::close);
    }
  }

  /** Of the base URLs, as {@code swapgate clients} tells them. */
  private static Map<String, String> paths(Path config) throws Exception {
    CommandLine.End clients = CommandLine.run(folder, config, "clients", "--json");
    assertThat(clients.exitCode()).as(clients.said()).isZero();
    Map<String, String> paths = new TreeMap<>();
    AdminApi.parse(clients.said())
        .properties()
        .forEach(url -> paths.put(url.getKey(), URI.create(url.getValue().asText()).getPath()));
    return paths;
  }

  /** One that is not done before it is cancelled. */
  private static String longWorkflow() throws Exception {
    String workflow = SwapIT.workflow();
    assertThat(workflow).contains(STEPS);
    return workflow.replace(STEPS, "\"steps\": 2000");
  }

  private static List<LibraryCall> calls(FakeBox box) throws Exception {
    List<LibraryCall> calls = new ArrayList<>();
    for (Client client : CLIENTS) {
      if (client.isJava() || hasNode) {
        String path = client.as().isEmpty() ? "/v1" : paths.get(client.as());
        calls.add(new LibraryCall(client, path, false, new WireTap(box.chat())));
        calls.add(new LibraryCall(client, path, true, new WireTap(box.chat())));
      }
    }
    return calls;
  }

  private static void begin(List<LibraryCall> calls, Optional<NodeLibraries> node) {
    for (LibraryCall call : calls) {
      Client client = call.client();
      if (client.isJava()) {
        JavaLibraries.Library library = JavaLibraries.all().get(client.library());
        Thread.ofVirtual().name(call.id()).start(() -> call.end().complete(text(library, call)));
      } else {
        node.orElseThrow()
            .call(client.library(), call.base(), call.stream())
            .thenAccept(call.end()::complete);
      }
    }
  }

  private static void awaitEnds(List<LibraryCall> calls) throws Exception {
    awaitAll("an end of ", calls, call -> call.end().isDone());
    for (LibraryCall call : calls) {
      call.wire().close();
    }
  }

  private static String text(JavaLibraries.Library library, LibraryCall call) {
    try {
      return library.call(call.base(), call.stream());
    } catch (Exception | LinkageError e) {
      return "threw: " + e + (e.getCause() == null ? "" : ", for " + e.getCause());
    }
  }

  private static void awaitAll(String what, List<LibraryCall> calls, Predicate<LibraryCall> isSo) {
    Await.until(
        () -> what + calls.stream().filter(isSo.negate()).map(LibraryCall::said).toList(),
        PATIENCE,
        () -> calls.stream().allMatch(isSo));
  }

  @TestFactory
  Stream<DynamicTest> aLibraryIsAnsweredAtOnceWhileChatIsOpen() {
    return open.stream()
        .map(
            call ->
                dynamicTest(
                    call.id(),
                    () -> {
                      assertThat(call.end().join()).contains("vllm").contains("t15");
                      assertThat(call.wire().requests()).isEqualTo(1);
                    }));
  }

  @TestFactory
  Stream<DynamicTest> aSwapComesToWhatTheTableSays() {
    return inSwap.stream().map(call -> dynamicTest(call.id(), () -> assertCourse(call)));
  }

  private static void assertCourse(LibraryCall call) {
    String end = call.end().join();
    List<Integer> statuses = call.wire().answers().stream().map(WireTap.Answer::status).toList();

    assertThat(statuses)
        .as("%s: %s", call.said(), end)
        .isEqualTo(call.expected().stream().filter(status -> status != LEFT).toList());
    assertThat(call.wire().requests()).as("%s", call.said()).isEqualTo(call.expected().size());
    if (call.succeeds()) {
      assertThat(end).contains("vllm").contains("t15");
    } else {
      assertThat(end).startsWith("threw: ").containsIgnoringCase("timeout");
    }
    assertWaits(call);
  }

  /** A refused client is told what its profile means it to be told, and waits for as long. */
  private static void assertWaits(LibraryCall call) {
    boolean isShort = call.client().as().equals("short");
    List<WireTap.Answer> answers = call.wire().answers();
    List<Duration> pauses = call.wire().pauses();
    for (int i = 0; i < pauses.size(); i++) {
      int told = answers.get(i).retryAfter();
      assertThat(told).as("%s", call.said()).isBetween(isShort ? 30 : 61, isShort ? 59 : 110);
      assertThat(pauses.get(i))
          .as("how long it waited when told %d s: %s", told, call.said())
          .isBetween(Duration.ofSeconds(told).minus(EARLY), Duration.ofSeconds(told).plus(LATE));
    }
  }

  @Test
  void theEngineBeginsEachCallOnce() {
    assertThat(begunByTheEngine)
        .as("calls that the restored engine began")
        .isEqualTo(inSwap.stream().filter(LibraryCall::succeeds).count());
  }

  @Test
  void theJavaScriptLibrariesAreThere() {
    assumeTrue(hasNode, "they are installed by scripts/test");

    assertThat(inSwap).hasSize(2 * CLIENTS.size());
  }

  /** The table of {@code proxy/README.md}. */
  private static void print() {
    System.out.println(
        "| library | base URL | profile | plain | streaming |\n|---|---|---|---|---|");
    for (int i = 0; i < inSwap.size(); i += 2) {
      Client client = inSwap.get(i).client();
      System.out.printf(
          "| %s | `%s` | %s | %s | %s |%n",
          client.title(),
          inSwap.get(i).path(),
          ClientNames.all().getOrDefault(client.as(), "honest"),
          inSwap.get(i).told(),
          inSwap.get(i + 1).told());
    }
  }
}
