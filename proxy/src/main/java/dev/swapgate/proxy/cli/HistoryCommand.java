package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code history}: what happened, newest first. */
@Command(name = "history", description = "Show what happened, newest first.")
final class HistoryCommand implements Callable<Integer> {

  private final Session session;

  @Option(names = "--json", description = "Print JSON, and nothing else, on standard output.")
  private boolean json;

  @Option(names = "--limit", paramLabel = "N", description = "At most so many (default: 50).")
  private int limit = 50;

  @Option(
      names = "--swaps",
      description = "Show swaps: their steps, what was expected, what chat met.")
  private boolean swaps;

  HistoryCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    JsonNode history =
        session.admin().get("history?" + (swaps ? "limit=1&swaps=" : "limit=") + limit);
    Terminal terminal = session.terminal();
    if (json) {
      terminal.say(history.toString());
    } else if (swaps) {
      SwapLines.of(history).forEach(terminal::say);
    } else {
      lines(Json.items(history, "history")).forEach(terminal::say);
    }
    return ExitCode.DONE;
  }

  /** One line for each thing that happened. */
  static List<String> lines(List<JsonNode> happened) {
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode one : happened) {
      String job = Json.text(one, "job");
      rows.add(
          List.of(
              Words.moment(Json.text(one, "at")),
              Json.text(one, "what"),
              Json.text(one, "backend"),
              job.isEmpty() ? "" : "job " + job,
              Json.text(one, "detail")));
    }
    return Words.table(rows);
  }
}
