package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cooldown}: lets a fallback provider, one of its keys or models be asked again. */
@Command(
    name = "cooldown",
    description = "End the cooldown of a fallback provider, one of its keys or models.")
final class CooldownCommand implements Callable<Integer> {

  private final Session session;

  @Parameters(index = "0", paramLabel = "clear", description = "What to do; clear is all there is.")
  private String verb = "";

  @Parameters(
      index = "1",
      paramLabel = "COOLDOWN",
      description = "Its name, as status shows it: provider, provider:key or provider:model.")
  private String cooldown = "";

  @Option(names = "--json", description = "Print JSON, and nothing else, on standard output.")
  private boolean json;

  CooldownCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (!verb.equals("clear")) {
      throw new CliException(
          ExitCode.REFUSED, "no such thing as cooldown " + verb + "; write cooldown clear NAME");
    }
    JsonNode status = session.admin().delete("cooldowns/" + AdminClient.part(cooldown));
    session.terminal().say(json ? status.toString() : cooldown + " may be asked again from now on");
    return ExitCode.DONE;
  }
}
