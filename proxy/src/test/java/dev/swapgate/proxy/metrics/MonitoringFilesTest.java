package dev.swapgate.proxy.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.StepTimes;
import dev.swapgate.proxy.Views;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The shipped alerts and panels ask for what there is. */
class MonitoringFilesTest {
  private static final Path FOLDER = folder();
  private static final Pattern NAME = Pattern.compile("swapgate_[a-z_]+");

  private static Path folder() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("compose/swapgate.yaml"))) {
      folder = folder.getParent();
    }
    return folder.resolve("compose/monitoring");
  }

  private static Set<String> served() {
    Metrics metrics = new Metrics();
    metrics.show(
        new Readings() {
          @Override
          public GateView view() {
            return Views.open();
          }

          @Override
          public int held() {
            return 0;
          }

          @Override
          public List<Answered> answered() {
            return List.of(new Answered("gate", "429", 1));
          }
        });
    metrics.dockerCall("stop", "done", Duration.ofSeconds(1));
    metrics.learned(
        new StepTimes.Sample(
            new StepTimes.Key(StepTimes.Step.STOP, new Backend.Id("vllm"), ""), Duration.ZERO));
    return Exposition.parse(metrics.scrape()).samples().keySet().stream()
        .map(sample -> sample.replaceFirst("[{].*", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @ParameterizedTest
  @ValueSource(strings = {"alerts.yml", "grafana.json"})
  void namesOnlyMetricsThatAreServed(String file) throws Exception {
    Set<String> named =
        NAME.matcher(Files.readString(FOLDER.resolve(file)))
            .results()
            .map(found -> found.group())
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(named).isNotEmpty().isSubsetOf(served());
  }

  @Test
  void theDashboardIsOneThatGrafanaCanLoad() throws Exception {
    JsonNode board = new ObjectMapper().readTree(FOLDER.resolve("grafana.json").toFile());

    assertThat(board.path("title").asText()).isEqualTo("swapgate");
    assertThat(board.path("panels")).hasSizeGreaterThan(5);
    for (JsonNode panel : board.path("panels")) {
      assertThat(panel.at("/gridPos/w").intValue()).isPositive();
      assertThat(panel.path("targets")).isNotEmpty();
    }
  }
}
