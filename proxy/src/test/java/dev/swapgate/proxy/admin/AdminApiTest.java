package dev.swapgate.proxy.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.GateEvent;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.Phase;
import dev.swapgate.gate.runtime.Gate;
import dev.swapgate.proxy.AdminSide;
import dev.swapgate.proxy.RecordedGate;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdminApiTest {
  @TempDir Path folder;
  private AdminSide side;

  @BeforeEach
  void start() {
    side = new AdminSide(folder, false);
  }

  @AfterEach
  void stop() {
    side.close();
  }

  @Test
  void statusHasEveryFieldOfTheContract() throws Exception {
    HttpResponse<String> response = side.get("/api/v1/status");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
    assertThat(AdminSide.json(response))
        .isEqualTo(
            AdminSide.json(
                """
                {"phase":"running","owner":"comfyui","selected":"vllm","chat_open":false,
                 "reason":"a job of comfyui runs",
                 "swap":{"since":"2026-11-30T10:00:00Z","elapsed_seconds":10,
                         "retry_after_seconds":170,"left_seconds":170},
                 "inside":0,"held":4,"jobs":{"queued":2,"running":1},"work":null,
                 "engines":[{"name":"vllm","container":"vllm-box","state":"down","ready":false,
                             "last_ready_seconds":480,"leasable":false}],
                 "media":[{"name":"comfyui","container":"comfyui","state":"ready","ready":true,
                           "last_ready_seconds":null,"leasable":true}],
                 "card":{"name":"GeForce","total_mib":32607,"free_mib":107,"source":"nvidia-smi"},
                 "host":{"memory_free_mib":2048},"fallback":[],"version":"0.1.0"}"""));
  }

  @Test
  void statusSaysNullWhereNothingIsKnownOrGoingOn() throws Exception {
    GateView during = RecordedGate.during();
    side.gate.view =
        new GateView(
            Phase.BOOTING,
            Optional.empty(),
            new Backend.Id("vllm"),
            false,
            "",
            GateView.Refusal.RATE_LIMIT,
            Optional.empty(),
            during.outlook(),
            0,
            0,
            0,
            List.of(),
            List.of(),
            List.of(),
            new GateView.CardView(-1, -1, "unknown"),
            false);

    JsonNode status = AdminSide.json(side.get("/api/v1/status"));

    assertThat(status.get("owner").isNull()).isTrue();
    assertThat(status.get("swap").isNull()).isTrue();
    assertThat(status.at("/card/total_mib").isNull()).isTrue();
    assertThat(status.at("/card/source").textValue()).isEqualTo("unknown");
  }

  @Test
  void selectsLeasesReleasesAndMaintains() throws Exception {
    assertThat(side.post("/api/v1/select", "{\"engine\":\"ninfer\"}").statusCode()).isEqualTo(200);
    HttpResponse<String> lease =
        side.post("/api/v1/leases", "{\"backend\":\"comfyui\",\"for\":\"30m\"}");
    side.post("/api/v1/leases", "{\"backend\":\"none\"}");
    side.delete("/api/v1/leases/l7");
    side.post("/api/v1/maintenance", "{\"on\":true}");

    assertThat(AdminSide.json(lease))
        .isEqualTo(
            AdminSide.json(
                """
                {"id":"l7","backend":"comfyui","until":"2026-11-30T10:30:00Z","by_hand":false,
                 "heartbeat_seconds":null,"yields":false}"""));
    assertThat(side.gate.asked())
        .containsExactly(
            "select ninfer",
            "lease comfyui PT30M",
            "lease none PT1H",
            "release l7",
            "maintenance true");
  }

  @Test
  void takesLeasesOnTermsAndHearsThatTheyAreWanted() throws Exception {
    HttpResponse<String> lease =
        side.post(
            "/api/v1/leases",
            "{\"backend\":\"comfyui\",\"for\":\"30m\",\"heartbeat\":\"1m\",\"yields\":true}");
    HttpResponse<String> beat = side.put("/api/v1/leases/l7", "{}");
    HttpResponse<String> extended = side.put("/api/v1/leases/l7", "{\"for\":\"10m\"}");

    assertThat(AdminSide.json(lease).at("/heartbeat_seconds").intValue()).isEqualTo(60);
    assertThat(AdminSide.json(lease).at("/yields").booleanValue()).isTrue();
    assertThat(beat.statusCode()).isEqualTo(200);
    assertThat(AdminSide.json(extended).at("/until").textValue()).startsWith("2026-11-30T10:10");
    assertThat(side.put("/api/v1/leases/l7", "{\"for\":\"10081m\"}").statusCode()).isEqualTo(400);
    assertThat(side.gate.asked())
        .containsExactly("lease comfyui PT30M heartbeat=PT1M yields", "beat l7", "beat l7 PT10M");
  }

  @Test
  void listsLeasesWithTheirIds() throws Exception {
    assertThat(AdminSide.json(side.get("/api/v1/leases")).at("/leases/0/id").textValue())
        .isEqualTo("l1");
  }

  @ParameterizedTest
  @CsvSource({"NOT_FOUND,404", "INVALID,400", "CONFLICT,409", "FULL,429", "STORAGE,507"})
  void saysTheGatesRefusals(Gate.RefusedException.Kind kind, int status) throws Exception {
    side.gate.refuses = Optional.of(new Gate.RefusedException(kind, "because"));

    HttpResponse<String> response = side.post("/api/v1/select", "{\"engine\":\"x\"}");

    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(AdminSide.json(response).at("/error/message").textValue()).isEqualTo("because");
    assertThat(AdminSide.json(response).at("/error/code").textValue()).isNotBlank();
    assertThat(response.headers().firstValue("Retry-After").isPresent()).isEqualTo(status == 429);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/select      | {\"engine\":7}",
        "/select      | {}",
        "/select      | {\"engine\":\"a\",\"engine\":\"b\"}",
        "/select      | {\"engine\":\"a\"} {}",
        "/select      | {\"engine\":\"a\",\"more\":1}",
        "/select      | [1]",
        "/select      | {",
        "/leases      | {\"backend\":\"comfyui\",\"for\":\"soon\"}",
        "/leases      | {\"backend\":\"comfyui\",\"for\":\"0m\"}",
        "/leases      | {\"backend\":\"comfyui\",\"heartbeat\":\"1s\"}",
        "/leases      | {\"backend\":\"comfyui\",\"yields\":1}",
        "/maintenance | {\"on\":\"yes\"}"
      })
  void refusesWhatItCannotRead(String path, String body) throws Exception {
    HttpResponse<String> response = side.post("/api/v1" + path, body);

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(AdminSide.json(response).at("/error/message").textValue()).isNotBlank();
    assertThat(side.gate.asked()).isEmpty();
  }

  @Test
  void tellsFindingsVersionAndHistory() throws Exception {
    side.store.addHistory(RecordedGate.THEN, "phase", "vllm", "", "{}");

    assertThat(AdminSide.json(side.get("/api/v1/check")))
        .isEqualTo(
            AdminSide.json(
                """
                {"findings":[{"id":"restart_always","severity":"problem","backend":"comfyui",
                 "what":"it restarts","why":"both would run",
                 "mend":"docker update --restart no comfyui"}]}"""));
    assertThat(AdminSide.json(side.get("/api/v1/version")).get("version").textValue())
        .isEqualTo("0.1.0");
    assertThat(AdminSide.json(side.get("/api/v1/history?limit=5")))
        .isEqualTo(
            AdminSide.json(
                """
                {"history":[{"at":"2026-11-30T10:00:00Z","what":"phase","backend":"vllm",
                 "job":"","detail":"{}"}],
                 "swap":null,"swaps":[],"learned":[],
                 "estimates":{"swaps":0,"median_error_seconds":null,"median_off_seconds":null,
                 "worst_off_seconds":null}}"""));
    assertThat(side.get("/api/v1/history?limit=many").statusCode()).isEqualTo(400);
  }

  @Test
  void clearsACooldownThatIsThere() throws Exception {
    assertThat(side.delete("/api/v1/cooldowns/openrouter").statusCode()).isEqualTo(200);
    assertThat(side.delete("/api/v1/cooldowns/other").statusCode()).isEqualTo(404);
  }

  @Test
  void isAliveDuringASwapAndReadyOnlyWhenChatIsOpen() throws Exception {
    assertThat(side.get("/healthz").statusCode()).isEqualTo(200);
    assertThat(side.get("/readyz").statusCode()).isEqualTo(503);
    assertThat(side.get("/").body()).contains("chat is not open").contains("phase running");
  }

  @Test
  void unknownPathsAndMethodsAreErrorsInTheSameShape() throws Exception {
    HttpResponse<String> path = side.get("/api/v1/nothing");
    HttpResponse<String> method = side.delete("/api/v1/status");

    assertThat(path.statusCode()).isEqualTo(404);
    assertThat(AdminSide.json(path).at("/error/code").textValue()).isEqualTo("no_route");
    assertThat(method.statusCode()).isEqualTo(405);
  }

  @Test
  void streamsStatusAtOnceAndThenWhatHappens() throws Exception {
    CompletableFuture<String> first = new CompletableFuture<>();
    CompletableFuture<String> second = new CompletableFuture<>();
    HttpResponse<java.io.InputStream> stream = side.stream("/api/v1/events");
    Thread reader =
        Thread.ofVirtual()
            .start(
                () -> {
                  try (BufferedReader lines =
                      new BufferedReader(
                          new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
                    first.complete(nextEvent(lines));
                    second.complete(nextEvent(lines));
                  } catch (IOException e) {
                    first.completeExceptionally(e);
                    second.completeExceptionally(e);
                  }
                });

    String status = first.get(10, TimeUnit.SECONDS);
    side.gate.tell(
        new GateEvent(
            RecordedGate.THEN, GateEvent.Level.INFO, "job", "job j1 began", "comfyui", "j1"));
    String event = second.get(10, TimeUnit.SECONDS);
    reader.join();

    assertThat(stream.headers().firstValue("Content-Type").orElse(""))
        .startsWith("text/event-stream");
    assertThat(status).startsWith("status ");
    assertThat(AdminSide.json(status.substring(7)).get("phase").textValue()).isEqualTo("running");
    assertThat(event).startsWith("event ");
    assertThat(AdminSide.json(event.substring(6)))
        .isEqualTo(
            AdminSide.json(
                """
                {"at":"2026-11-30T10:00:00Z","level":"info","what":"job","text":"job j1 began",
                 "backend":"comfyui","job":"j1"}"""));
  }

  @Test
  void streamsTheNewStatusWhenSomethingChanged() throws Exception {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(side.stream("/api/v1/events").body(), StandardCharsets.UTF_8))) {
      nextEvent(lines);
      side.gate.tellChanged();

      assertThat(nextEvent(lines)).startsWith("status {");
    }
  }

  @Test
  void dropsAListenerThatDoesNotKeepUpAndNeverWaitsForIt() throws Exception {
    try (Socket slow = new Socket()) {
      slow.setReceiveBufferSize(4096);
      slow.setSoTimeout(10_000);
      slow.connect(new InetSocketAddress("127.0.0.1", side.port()));
      slow.getOutputStream()
          .write(
              "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
                  .getBytes(StandardCharsets.UTF_8));
      // From its first event on it is a listener.
      StringBuilder begun = new StringBuilder();
      while (begun.indexOf("status") < 0) {
        begun.append((char) slow.getInputStream().read());
      }
      GateEvent large =
          new GateEvent(RecordedGate.THEN, GateEvent.Level.INFO, "job", "x".repeat(50_000), "", "");

      for (int told = 0; told < 900; told++) {
        side.gate.tell(large);
      }

      // Who joins later is served later: by then all of it was sent, or given up.
      try (BufferedReader later =
          new BufferedReader(
              new InputStreamReader(
                  side.stream("/api/v1/events").body(), StandardCharsets.UTF_8))) {
        assertThat(nextEvent(later)).startsWith("status {");
      }

      // It ends: a stream that was kept would be silent now, and this would run into the limit.
      Throwable end =
          catchThrowable(() -> slow.getInputStream().transferTo(OutputStream.nullOutputStream()));
      assertThat(end instanceof SocketTimeoutException).as("it ended with %s", end).isFalse();
    }
  }

  private static String nextEvent(BufferedReader lines) throws IOException {
    String name = "";
    String data = "";
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.isEmpty() && !data.isEmpty()) {
        return name + " " + data;
      } else if (line.startsWith("event:")) {
        name = line.substring(6).strip();
      } else if (line.startsWith("data:")) {
        data = line.substring(5).strip();
      }
    }
    throw new IOException("the stream ended");
  }
}
