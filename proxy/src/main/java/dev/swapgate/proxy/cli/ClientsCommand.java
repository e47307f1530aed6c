package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.swapgate.proxy.app.ClientNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code clients}: the base URL for each client, by how it bears being refused. */
@Command(
    name = "clients",
    description = "Show which base URL to give to which chat client.",
    footer = {
      "",
      "The libraries of Anthropic and Ollama add /v1 or /api themselves. LangChain4j leaves after",
      "60 s: set its timeout to 15 minutes. A client that is not listed: take the plain URL first;",
      "if it gives up during a swap, take short, then hold."
    })
final class ClientsCommand implements Callable<Integer> {

  private final Session session;

  @Option(names = "--json", description = "Print JSON, and nothing else, on standard output.")
  private boolean json;

  ClientsCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    String base = session.contact().listen().baseUrl();
    Terminal terminal = session.terminal();
    Map<String, String> names = ClientNames.all();
    if (json) {
      ObjectNode answer = Json.object();
      names.keySet().forEach(name -> answer.put(name, url(base, name)));
      terminal.say(answer.toString());
      return ExitCode.DONE;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("CLIENT", "BASE URL", "PROFILE"));
    rows.add(List.of("(any)", base + "/v1", "honest"));
    names.forEach((name, profile) -> rows.add(List.of(name, url(base, name), profile)));
    Words.table(rows).forEach(terminal::say);
    return ExitCode.DONE;
  }

  private static String url(String base, String name) {
    boolean addsPathItself = name.equals("ollama") || name.startsWith("anthropic-");
    return base + "/as/" + name + (addsPathItself ? "" : "/v1");
  }
}
