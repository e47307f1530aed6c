package dev.swapgate.proxy.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.StepTimes;
import dev.swapgate.proxy.AdminSide;
import dev.swapgate.proxy.RecordedGate;
import dev.swapgate.proxy.history.SwapRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What swaps were like, and how well they were foreseen. */
class HistoryPageTest {
  @TempDir Path folder;
  private AdminSide side;

  @BeforeEach
  void open() {
    side = new AdminSide(folder, false);
  }

  @AfterEach
  void close() {
    side.close();
  }

  private void swap(String errorSeconds) {
    side.store.addSwap(
        RecordedGate.THEN,
        RecordedGate.THEN,
        "{\"since\":\"2026-11-30T10:00:00Z\",\"error_seconds\":" + errorSeconds + "}");
  }

  private JsonNode history(String query) throws Exception {
    return AdminSide.json(side.get("/api/v1/history" + query));
  }

  @Test
  void showsHowFarTheEstimatorWasOff() throws Exception {
    swap("12.5");
    swap("-40.0");
    swap("null");
    swap("5.0");

    JsonNode all = history("");

    assertThat(all.get("swaps")).hasSize(4);
    assertThat(all.at("/swaps/0/error_seconds").doubleValue()).isEqualTo(5.0);
    assertThat(all.at("/estimates/swaps").intValue()).isEqualTo(3);
    assertThat(all.at("/estimates/median_error_seconds").doubleValue()).isEqualTo(5.0);
    assertThat(all.at("/estimates/median_off_seconds").doubleValue()).isEqualTo(12.5);
    assertThat(all.at("/estimates/worst_off_seconds").doubleValue()).isEqualTo(40.0);
    assertThat(history("?swaps=1").get("swaps")).hasSize(1);
  }

  @Test
  void showsWhatWasLearned() throws Exception {
    StepTimes.Key key =
        new StepTimes.Key(StepTimes.Step.START_TO_READY, new Backend.Id("vllm"), "");
    side.store.addStepTime(new StepTimes.Sample(key, Duration.ofSeconds(280)), RecordedGate.THEN);
    side.store.addStepTime(new StepTimes.Sample(key, Duration.ofSeconds(300)), RecordedGate.THEN);

    assertThat(history("").get("learned"))
        .isEqualTo(
            AdminSide.json(
                """
                [{"backend":"vllm","step":"start_to_ready","shape":"","seconds":290.0,
                 "samples":2}]"""));
  }

  @Test
  void showsTheSwapUnderWay() throws Exception {
    side.swap =
        new SwapRecord(
            "2026-11-30T10:00:00Z",
            null,
            12.5,
            200.0,
            null,
            "vllm",
            "2026-11-30T09:00:00Z",
            null,
            true,
            List.of(new SwapRecord.Step("freeing", "comfyui", 2, 10.5, 32500L)),
            List.of(),
            new SwapRecord.Chat(5, 0, 0, null, 0));

    JsonNode swap = history("").get("swap");

    assertThat(swap.at("/expected_seconds").doubleValue()).isEqualTo(200);
    assertThat(swap.at("/steps/0/free_mib").longValue()).isEqualTo(32500);
    assertThat(swap.at("/chat/refused").longValue()).isEqualTo(5);
  }
}
