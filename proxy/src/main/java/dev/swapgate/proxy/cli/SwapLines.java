package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Swaps as lines for people: two for each, and one on how well they were foreseen. */
final class SwapLines {

  private SwapLines() {}

  static List<String> of(JsonNode history) {
    List<String> lines = new ArrayList<>();
    if (history.path("swap").isObject()) {
      add(lines, history.path("swap"));
    }
    Json.items(history, "swaps").forEach(swap -> add(lines, swap));
    JsonNode estimates = history.path("estimates");
    if (estimates.path("swaps").intValue() > 0) {
      lines.add(
          "foreseen to "
              + seconds(estimates.path("median_off_seconds"))
              + " in the middle, "
              + seconds(estimates.path("worst_off_seconds"))
              + " at worst, of "
              + estimates.path("swaps").intValue()
              + " swaps");
    }
    return lines;
  }

  private static void add(List<String> lines, JsonNode swap) {
    JsonNode chat = swap.path("chat");
    lines.add(
        Words.moment(Json.text(swap, "since"))
            + "  "
            + (swap.path("until").isTextual() ? "" : "under way, ")
            + seconds(swap.path("seconds"))
            + foreseen(swap)
            + "  jobs "
            + swap.path("jobs").size()
            + "  refused "
            + chat.path("refused").longValue()
            + "  held "
            + chat.path("held").longValue());
    List<String> steps = new ArrayList<>();
    for (JsonNode step : Json.items(swap, "steps")) {
      String owner = Json.text(step, "owner");
      String free =
          step.path("free_mib").isNumber()
              ? " (" + step.path("free_mib").longValue() + " MiB free)"
              : "";
      steps.add(
          Json.text(step, "phase")
              + (owner.isEmpty() ? "" : " " + owner)
              + " "
              + seconds(step.path("seconds"))
              + free);
    }
    lines.add("    " + String.join(" · ", steps));
  }

  private static String foreseen(JsonNode swap) {
    JsonNode expected = swap.path("expected_seconds");
    if (!expected.isNumber()) {
      return "";
    }
    JsonNode error = swap.path("error_seconds");
    return ", expected "
        + seconds(expected)
        + (error.isNumber() ? ", off by " + seconds(error) : "");
  }

  private static String seconds(JsonNode seconds) {
    return Math.round(seconds.doubleValue()) + " s";
  }
}
