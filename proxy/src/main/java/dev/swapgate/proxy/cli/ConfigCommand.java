package dev.swapgate.proxy.cli;

import dev.swapgate.proxy.config.ConfigSchema;
import dev.swapgate.proxy.config.EffectiveConfig;
import dev.swapgate.proxy.config.SwapgateConfig;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code config}: what applies, defaults put in, secrets left out. */
@Command(
    name = "config",
    description = "Check the configuration and print what applies; secrets show as ***.")
final class ConfigCommand implements Callable<Integer> {

  private final Session session;

  @Option(names = "--schema", description = "Print the JSON Schema of the file instead.")
  private boolean schema;

  ConfigCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (schema) {
      ConfigSchema.text().lines().forEach(session.terminal()::say);
      return ExitCode.DONE;
    }
    Path file = session.requiredConfigFile();
    SwapgateConfig config = session.loader().load(file);
    session.terminal().say("# from " + file);
    EffectiveConfig.lines(config).forEach(session.terminal()::say);
    return ExitCode.DONE;
  }
}
