package dev.swapgate.proxy.notify;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.swapgate.gate.core.GateEvent;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.core.Phase;
import dev.swapgate.proxy.RecordedGate;
import dev.swapgate.proxy.Views;
import io.undertow.Undertow;
import io.undertow.util.HttpString;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What is told elsewhere, to a real web server that answers as it is told. */
class NotifierTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private record Got(String body, String type, String title, String priority, String secret) {}

  private final BlockingQueue<Got> got = new LinkedBlockingQueue<>();
  private final BlockingQueue<Integer> answers = new LinkedBlockingQueue<>();
  private final BlockingQueue<Duration> pauses = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final CountDownLatch held = new CountDownLatch(1);
  private volatile boolean holding;
  private Undertow server;
  private Notifier notifier;
  private final Logger log = (Logger) LoggerFactory.getLogger(Mailbox.class);
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          lines.add(event.getFormattedMessage());
        }
      };

  @BeforeEach
  void open() {
    appender.start();
    log.addAppender(appender);
    server =
        Undertow.builder()
            .setIoThreads(1)
            .setWorkerThreads(2)
            .addHttpListener(
                0,
                "127.0.0.1",
                exchange ->
                    exchange
                        .getRequestReceiver()
                        .receiveFullString(
                            (whole, body) -> {
                              got.add(
                                  new Got(
                                      body,
                                      header(whole, "Content-Type"),
                                      header(whole, "Title"),
                                      header(whole, "Priority"),
                                      header(whole, "Authorization")));
                              if (holding) {
                                whole.dispatch(this::hold);
                                return;
                              }
                              Integer status = answers.poll();
                              whole.setStatusCode(status == null ? 200 : status);
                            }))
            .build();
    server.start();
  }

  private void hold() {
    try {
      held.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String header(io.undertow.server.HttpServerExchange exchange, String name) {
    return exchange.getRequestHeaders().getFirst(new HttpString(name));
  }

  @AfterEach
  void close() {
    held.countDown();
    if (notifier != null) {
      notifier.close();
    }
    server.stop();
    log.detachAppender(appender);
  }

  private void tells(Target.Shape shape, String... on) {
    int port = ((InetSocketAddress) server.getListenerInfo().getFirst().getAddress()).getPort();
    notifier =
        new Notifier(
            List.of(
                new Target(
                    "phone",
                    URI.create("http://127.0.0.1:" + port + "/hook-secret?key=s3cret"),
                    shape,
                    on.length == 0 ? Set.copyOf(Target.KINDS) : Set.of(on),
                    Map.of("Authorization", "Bearer t0ken"),
                    Duration.ofSeconds(10))),
            () -> new Now(Duration.ZERO, RecordedGate.THEN),
            pauses::add);
  }

  private Got next() throws InterruptedException {
    return got.poll(10, TimeUnit.SECONDS);
  }

  private static GateEvent end(String job, Job.State state, String text) {
    return new GateEvent(
        RecordedGate.THEN, GateEvent.Level.INFO, "job", text, "comfyui", job, Optional.of(state));
  }

  @Test
  void tellsADegradedBoxOnceAndThatItHealed() throws Exception {
    tells(Target.Shape.JSON);
    notifier.changed(Views.open());
    notifier.changed(Views.degraded("vllm exited with code 1"));
    notifier.changed(Views.swap(Phase.RESTORING, "vllm", 0, 30, -1));
    notifier.changed(Views.degraded("vllm exited with code 1"));
    notifier.changed(Views.open());
    notifier.changed(Views.open());

    Got degraded = next();
    assertThat(degraded.type()).isEqualTo("application/json");
    assertThat(degraded.secret()).isEqualTo("Bearer t0ken");
    assertThat(JSON.readTree(degraded.body()))
        .isEqualTo(
            JSON.readTree(
                """
                {"event":"degraded","at":"2026-11-30T10:00:00Z","text":"vllm exited with code 1",
                 "backend":"","job":""}"""));
    assertThat(JSON.readTree(next().body()).get("event").textValue()).isEqualTo("healed");
    assertThat(got).isEmpty();
  }

  @Test
  void tellsHowAJobEndedOnceAndOnlyWhatIsWanted() throws Exception {
    tells(Target.Shape.JSON, "job_failed");
    notifier.happened(end("a", Job.State.DONE, "job a is done"));
    notifier.happened(end("b", Job.State.CANCELLED, "job b is cancelled"));
    notifier.happened(end("c", Job.State.FAILED, "job c is failed: no disk"));
    notifier.happened(end("c", Job.State.FAILED, "job c is failed: no disk"));

    JsonNode failed = JSON.readTree(next().body());
    assertThat(failed.get("event").textValue()).isEqualTo("job_failed");
    assertThat(failed.get("job").textValue()).isEqualTo("c");
    assertThat(failed.get("text").textValue()).isEqualTo("job c is failed: no disk");
    assertThat(got).isEmpty();
  }

  @Test
  void speaksAsNtfyAndSlackExpect() throws Exception {
    tells(Target.Shape.NTFY);
    notifier.happened(end("a", Job.State.FAILED, "job a is failed: <b>"));
    Got ntfy = next();
    assertThat(ntfy.body()).isEqualTo("job a is failed: <b>");
    assertThat(ntfy.title()).isEqualTo("swapgate: job failed");
    assertThat(ntfy.priority()).isEqualTo("high");
    notifier.close();

    tells(Target.Shape.SLACK);
    notifier.happened(end("a", Job.State.DONE, "<!channel> & more"));
    assertThat(JSON.readTree(next().body()).get("text").textValue())
        .isEqualTo("*swapgate: job done*\n&lt;!channel&gt; &amp; more");
  }

  @Test
  void triesAgainWithGrowingPausesAndThenGivesUpWithoutASecretInTheLog() throws Exception {
    answers.addAll(List.of(500, 503, 429, 502, 500));
    tells(Target.Shape.JSON);
    notifier.happened(end("a", Job.State.DONE, "job a is done"));
    notifier.happened(end("b", Job.State.DONE, "job b is done"));

    for (int n = 0; n < 5; n++) {
      assertThat(next().body()).contains("job a");
    }
    assertThat(next().body()).contains("job b");
    assertThat(pauses)
        .containsExactly(
            Duration.ofSeconds(2),
            Duration.ofSeconds(8),
            Duration.ofSeconds(32),
            Duration.ofSeconds(128));
    assertThat(lines.poll(10, TimeUnit.SECONDS))
        .contains("notify=phone", "event=job_done", "tries=5", "it answered 500")
        .doesNotContain("s3cret", "t0ken", "hook-secret");
  }

  @Test
  void doesNotRepeatWhatIsRefused() throws Exception {
    answers.add(403);
    tells(Target.Shape.JSON);
    notifier.happened(end("a", Job.State.DONE, "job a is done"));

    assertThat(lines.poll(10, TimeUnit.SECONDS)).contains("tries=1", "it answered 403");
    assertThat(pauses).isEmpty();
  }

  /**
   * The gate's thread calls: however long the other side takes, nothing waits and nothing grows.
   */
  @Test
  void dropsWhatDoesNotFitWhileTheOtherSideHangs() throws Exception {
    holding = true;
    tells(Target.Shape.JSON);
    notifier.happened(end("first", Job.State.DONE, "first"));
    assertThat(next().body()).contains("first");

    for (int n = 0; n < Mailbox.ROOM + 50; n++) {
      notifier.happened(end("j" + n, Job.State.DONE, "job " + n));
    }

    for (int n = 0; n < 50; n++) {
      assertThat(lines.poll(10, TimeUnit.SECONDS)).contains("100 wait already");
    }
  }
}
