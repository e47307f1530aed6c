package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.OptionalLong;

/** What a submission will cost, in one sentence: place, start, and how long chat will be away. */
final class AcceptedSentence {

  private AcceptedSentence() {}

  /**
   * @param body what was submitted
   * @param accepted what was answered
   */
  static String of(JsonNode body, JsonNode accepted) {
    List<String> jobs = Json.names(accepted, "jobs");
    long position = Json.number(accepted, "position").orElse(0);
    String place =
        switch (Json.text(accepted, "state")) {
          case "queued" -> position <= 1 ? "next in line" : "number " + position + " in line";
          default -> Json.text(accepted, "state");
        };
    OptionalLong outage = Json.number(accepted, "outage_seconds");
    String away =
        outage.isEmpty()
            ? ""
            : "; chat will be away for about " + Words.seconds(outage.getAsLong());
    String who =
        jobs.isEmpty()
            ? "job " + Json.text(accepted, "id") + ": "
            : "batch " + Json.text(accepted, "batch") + ": " + jobs.size() + " jobs, the first ";
    return who + place + start(body, accepted) + away + (jobs.isEmpty() ? "" : " in all");
  }

  private static String start(JsonNode body, JsonNode accepted) {
    String due = Json.text(body, "when");
    String hours = Json.text(body, "window");
    if (due.equals("idle")) {
      return ", starts once nobody has chatted for a while";
    }
    if (!due.equals("now")) {
      return ", starts not before " + Words.moment(due);
    }
    OptionalLong starts = Json.number(accepted, "starts_in_seconds");
    String about =
        starts.isEmpty()
            ? ""
            : starts.getAsLong() == 0
                ? ", starts at once"
                : ", starts in about " + Words.seconds(starts.getAsLong());
    return about + (hours.isEmpty() ? "" : " (hours " + hours + ")");
  }
}
