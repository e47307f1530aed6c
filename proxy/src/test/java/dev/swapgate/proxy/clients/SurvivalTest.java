package dev.swapgate.proxy.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.proxy.chat.Door;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How many calls of each client survive a swap, by their rules, in virtual time. */
class SurvivalTest {
  private static final long SEED = 20_261_130;

  /** That of the shipped example. */
  private static final Duration TAIL_HOLD = Duration.ofSeconds(50);

  private static final int[] RESTORES = {20, 280, 690};
  private static final double SPREAD = 0.10;

  @ParameterizedTest(name = "tail_hold {0} s, steps vary by {1}, restore {2} s")
  @CsvSource({
    "0,  0.05, 20",
    "0,  0.05, 230",
    "0,  0.05, 280",
    "0,  0.05, 690",
    "50, 0.10, 20",
    "50, 0.10, 230",
    "50, 0.10, 280",
    "50, 0.10, 690"
  })
  void hermesSurvivesOnceOneSwapHasBeenLearned(int tailHold, double spread, int restore) {
    Survival.Trial trial =
        new Survival.Trial(
            Duration.ofSeconds(tailHold), Duration.ofSeconds(restore), spread, true, SEED);
    assertThat(Survival.of(ModelledClient.HERMES, trial).share())
        .as("%s", trial)
        .isGreaterThanOrEqualTo(0.99);
  }

  /** All but LangChain4j, which leaves after 60 s unless its time-out is raised. */
  static List<ModelledClient> clientsThatCanWait() {
    return ModelledClient.all().stream()
        .filter(client -> !client.name().matches("LangChain4j, (plain|streaming)"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("clientsThatCanWait")
  void aSwapOfFourMinutesIsSurvivedWithTheProfileMeantForTheClient(ModelledClient client) {
    Survival.Trial trial =
        new Survival.Trial(TAIL_HOLD, Duration.ofSeconds(76), SPREAD, true, SEED);
    assertThat(Survival.of(client, trial).share())
        .as("%s in %s", client.name(), trial)
        .isGreaterThanOrEqualTo(0.99);
  }

  /** The table of {@code proxy/README.md}. */
  @Test
  void printsWhoSurvivesWhat() {
    List<String> rows = new ArrayList<>();
    for (ModelledClient client : ModelledClient.all()) {
      List<String> cells = new ArrayList<>();
      cells.add(client.name());
      cells.add(new Door(client.path(), TAIL_HOLD).profile());
      for (boolean learned : new boolean[] {false, true}) {
        for (int restore : RESTORES) {
          cells.add(cell(client, restore, learned));
        }
      }
      rows.add("| " + String.join(" | ", cells) + " |");
    }
    rows.forEach(System.out::println);
    assertThat(rows).hasSameSizeAs(ModelledClient.all());
  }

  private static String cell(ModelledClient client, int restore, boolean learned) {
    Survival survival =
        Survival.of(
            client,
            new Survival.Trial(TAIL_HOLD, Duration.ofSeconds(restore), SPREAD, learned, SEED));
    return String.format(
        Locale.ROOT,
        "%.0f %% (%.1f)",
        Math.floor(100 * survival.share()),
        survival.requestsPerCall());
  }
}
