package dev.swapgate.proxy.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A line of the log, as text and as JSON. */
class LogFormatTest {
  private static final String SAID = "phase serving => draining why=\"a job is \\\"due\\\"\"";

  private static String line(Optional<String> format) throws Exception {
    LoggerContext context = new LoggerContext();
    format.ifPresent(word -> context.putProperty("SWAPGATE_LOG_FORMAT", word));
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(LogFormatTest.class.getResource("/logback.xml"));
    ConsoleAppender<ILoggingEvent> lines =
        (ConsoleAppender<ILoggingEvent>)
            context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("lines");
    LoggingEvent event =
        new LoggingEvent(
            "",
            context.getLogger("dev.swapgate.Gate"),
            Level.INFO,
            "phase {}",
            null,
            new Object[] {SAID});
    return new String(lines.getEncoder().encode(event), StandardCharsets.UTF_8);
  }

  @Test
  void isKeysAndValuesByDefault() throws Exception {
    assertThat(line(Optional.empty()))
        .startsWith("at=")
        .endsWith("level=INFO room=Gate phase " + SAID + "\n");
    assertThat(line(Optional.of("text"))).endsWith("level=INFO room=Gate phase " + SAID + "\n");
  }

  @Test
  void isOneObjectOfJsonForEachLineWhereThatIsAskedFor() throws Exception {
    String line = line(Optional.of("json"));
    assertThat(line).endsWith("}\n").hasLineCount(1);
    JsonNode read = new ObjectMapper().readTree(line);
    assertThat(read.path("level").asText()).isEqualTo("INFO");
    assertThat(read.path("loggerName").asText()).isEqualTo("dev.swapgate.Gate");
    assertThat(read.path("formattedMessage").asText()).isEqualTo("phase " + SAID);
    assertThat(read.path("timestamp").isNumber()).isTrue();
  }
}
