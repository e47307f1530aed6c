package dev.swapgate.proxy.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import java.io.ByteArrayOutputStream;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LogLinesTest {
  private final LoggerContext context = new LoggerContext();
  private final LogLines lines = new LogLines();
  private final BlockingQueue<String> written = new ArrayBlockingQueue<>(100);

  @BeforeEach
  void open() {
    context.setMDCAdapter(new LogbackMDCAdapter());
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%msg%n");
    encoder.start();
    lines.setContext(context);
    lines.setEncoder(encoder);
    lines.start();
    lines.setOutputStream(
        new ByteArrayOutputStream() {
          @Override
          public synchronized void flush() {
            written.add(toString(UTF_8));
            reset();
          }
        });
  }

  private void say(String logger, String what) {
    lines.doAppend(
        new LoggingEvent("test", context.getLogger(logger), Level.INFO, what, null, new Object[0]));
  }

  @Test
  void theFirstAccessLineIsWrittenAtOnce() {
    say("swapgate.access", "first");
    assertThat(written).containsExactly("first\n");
  }

  @Test
  void aCrowdOfAccessLinesIsWrittenWithoutAskingAndNoneIsLost() throws Exception {
    for (int i = 0; i < 50; i++) {
      say("swapgate.access", "line " + i);
    }
    StringBuilder all = new StringBuilder();
    while (!all.toString().endsWith("line 49\n")) {
      String some = written.poll(10, SECONDS);
      assertThat(some).isNotNull();
      all.append(some);
    }
    assertThat(all.toString().lines()).hasSize(50).first().isEqualTo("line 0");
  }

  @Test
  void anyOtherLineIsWrittenAtOnceAfterAllBeforeIt() {
    say("swapgate.access", "one");
    say("swapgate.access", "two");
    say("dev.swapgate.gate", "the engine stopped");
    assertThat(String.join("", written)).isEqualTo("one\ntwo\nthe engine stopped\n");
  }

  @Test
  void aLineLongerThanAllRoomComesWhole() {
    String much = "a".repeat(100_000);
    say("swapgate.access", "one");
    say("swapgate.access", much);
    say("dev.swapgate.gate", "last");
    assertThat(String.join("", written)).isEqualTo("one\n" + much + "\nlast\n");
  }
}
