package dev.swapgate.proxy.chat;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** One line of the access log tells who answered, and whether an engine was asked. */
class AccessLogTest {
  private static final String POST =
      "POST /v1/x?key=secret HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi";

  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final Logger log = (Logger) LoggerFactory.getLogger("swapgate.access");
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          lines.add(event.getFormattedMessage());
        }
      };
  private Level before;
  private Street street;

  @BeforeEach
  void open() throws Exception {
    before = log.getLevel();
    log.setLevel(Level.INFO);
    appender.start();
    log.addAppender(appender);
    street = new Street();
  }

  @AfterEach
  void close() throws Exception {
    street.close();
    log.detachAppender(appender);
    log.setLevel(before);
  }

  private String line() throws InterruptedException {
    return lines.poll(10, TimeUnit.SECONDS);
  }

  private long count(String by, String outcome) {
    return street.chat.counters().counts().getOrDefault(new ChatCounters.Key(by, outcome), 0L);
  }

  @Test
  void aRefusalOfOursAskedNoEngine() throws Exception {
    try (Wire client = street.client()) {
      assertThat(client.send(POST).message().status()).isEqualTo(429);
    }

    assertThat(line())
        .matches(
            "method=POST path=/v1/x status=429 bytes=\\d+ answered_by=gate total_ms=\\d{1,4}"
                + " upstream_ms=- refused=rate_limit_exceeded end=whole");
    assertThat(count("gate", "429")).isEqualTo(1);
  }

  @Test
  void anEnginesOwnRefusalIsTheEngines() throws Exception {
    street.gate.open();
    try (Wire client = street.client()) {
      client.send(POST);
      Wire engine = street.engine.next();
      engine.message();
      engine.send("HTTP/1.1 429 Slow\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n");
      assertThat(client.message().value("Retry-After")).isEqualTo("1");
    }

    assertThat(line())
        .matches(
            "method=POST path=/v1/x status=429 bytes=0 answered_by=engine:vllm total_ms=\\d+"
                + " upstream_ms=\\d+ refused=- end=whole");
    assertThat(count("engine:vllm", "429")).isEqualTo(1);
  }

  @Test
  void anEngineThatFailsTheRequestWasAsked() throws Exception {
    street.gate.open();
    try (Wire client = street.client()) {
      client.send(POST);
      Wire engine = street.engine.next();
      engine.message();
      engine.close();
      assertThat(client.message().status()).isEqualTo(502);
    }

    assertThat(line())
        .matches(
            "method=POST path=/v1/x status=502 bytes=\\d+ answered_by=gate total_ms=\\d+"
                + " upstream_ms=\\d+ refused=engine_failed end=broken"
                + " why=\"the connection ended without an answer\"");
    assertThat(count("gate", "broken")).isEqualTo(1);
  }

  @Test
  void aStreamThatTheEngineBreaksOffIsBroken() throws Exception {
    street.gate.open();
    try (Wire client = street.client()) {
      client.send(POST);
      Wire engine = street.engine.next();
      engine.message();
      engine.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n");
      client.head();
      engine.close();
      client.ended();
    }

    assertThat(line())
        .contains(" status=200 ", " answered_by=engine:vllm ", " refused=- end=broken why=");
    assertThat(count("engine:vllm", "broken")).isEqualTo(1);
  }

  @Test
  void aClientThatLeavesIsGone() throws Exception {
    street.gate.open();
    try (Wire client = street.client()) {
      client.send(POST);
      street.engine.next().message();
    }

    assertThat(line()).matches(".* status=- .* upstream_ms=\\d+ refused=- end=gone");
    assertThat(count("gate", "gone")).isEqualTo(1);
  }
}
