package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code select}: the engine that is restored from now on. */
@Command(name = "select", description = "Choose the engine that serves chat; it is remembered.")
final class SelectCommand implements Callable<Integer> {

  private final Session session;

  @Parameters(paramLabel = "ENGINE", description = "An engine's name.")
  private String engine = "";

  @Option(names = "--json", description = "Print JSON, and nothing else, on standard output.")
  private boolean json;

  SelectCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    JsonNode status = session.admin().post("select", Json.object().put("engine", engine));
    session
        .terminal()
        .say(
            json
                ? status.toString()
                : "selected "
                    + engine
                    + (Json.flag(status, "chat_open") ? "" : "; chat is shut until it is ready"));
    return ExitCode.DONE;
  }
}
