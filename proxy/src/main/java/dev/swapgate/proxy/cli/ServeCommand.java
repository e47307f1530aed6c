package dev.swapgate.proxy.cli;

import dev.swapgate.proxy.app.Assembly;
import dev.swapgate.proxy.app.StartException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code serve}: swapgate itself, until it is told to stop. */
@Command(
    name = "serve",
    description = "Serve chat and run jobs until SIGTERM; containers are left as they are.")
final class ServeCommand implements Callable<Integer> {

  private final Session session;

  ServeCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    String format = session.terminal().environment().getOrDefault("SWAPGATE_LOG_FORMAT", "text");
    if (!format.equals("text") && !format.equals("json")) {
      throw new CliException(
          ExitCode.REFUSED, "SWAPGATE_LOG_FORMAT is '" + format + "'; use text or json");
    }
    try {
      Path file = session.requiredConfigFile();
      return Assembly.start(() -> session.loader().load(file)).awaitEnd();
    } catch (StartException e) {
      throw new CliException(e.exitCode(), String.valueOf(e.getMessage()), e);
    }
  }
}
