package dev.swapgate.proxy.cli;

import dev.swapgate.proxy.config.ConfigException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** The command line's entry: parses, runs one command, turns its end into an exit code. */
public final class Main {

  private Main() {}

  /** Ends the process with the command's exit code. */
  public static void main(String[] args) {
    System.exit(run(Terminal.ofThisProcess(), args));
  }

  static int run(Terminal terminal, String... args) {
    GlobalOptions options = new GlobalOptions();
    CommandLine line = new CommandLine(options);
    for (Callable<Integer> command : commands(new Session(terminal, options))) {
      line.addSubcommand(command);
    }
    line.getCommandSpec().version("swapgate " + Version.ofThisProgram());
    line.setExpandAtFiles(false)
        .setOut(terminal.out())
        .setErr(terminal.err())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler((e, given) -> misused(e, terminal))
        .setExecutionExceptionHandler((e, command, parsed) -> failed(e, terminal, options.debug()));
    if (args.length == 0) {
      line.usage(terminal.err());
      return ExitCode.REFUSED;
    }
    int code = line.execute(spelledOut(args));
    terminal.out().flush();
    terminal.err().flush();
    return code;
  }

  private static List<Callable<Integer>> commands(Session session) {
    return List.of(
        new ServeCommand(session),
        new DemoCommand(session),
        new SubmitCommand(session),
        new JobsCommand(session),
        new JobCommand(session),
        new WaitCommand(session),
        new CancelCommand(session),
        new FetchCommand(session),
        new LogsCommand(session),
        new StatusCommand(session),
        new SelectCommand(session),
        new LeaseCommand(session),
        new ReleaseCommand(session),
        new MaintenanceCommand(session),
        new HistoryCommand(session),
        new CheckCommand(session),
        new RehearseCommand(session),
        new ClientsCommand(session),
        new InitCommand(session),
        new ConfigCommand(session),
        new CompletionCommand(session),
        new VersionCommand(session));
  }

  /**
   * A bare {@code --wait} is given its meaning before parsing: as an option with an optional value
   * it would swallow the word after it.
   */
  private static String[] spelledOut(String[] args) {
    return Arrays.stream(args)
        .map(arg -> arg.equals("--wait") ? "--wait=done" : arg)
        .toArray(String[]::new);
  }

  private static int misused(CommandLine.ParameterException e, Terminal terminal) {
    String command = e.getCommandLine().getCommandSpec().qualifiedName();
    terminal.tell("swapgate: " + e.getMessage() + "; see " + command + " --help");
    return ExitCode.REFUSED;
  }

  private static int failed(Exception e, Terminal terminal, boolean debug) {
    if (debug) {
      trace(e, terminal);
    }
    if (e instanceof CliException told) {
      terminal.tell("swapgate: " + told.getMessage());
      return told.exitCode();
    }
    if (e instanceof ConfigException told) {
      terminal.tell("swapgate: " + told.getMessage());
      return ExitCode.BAD_CONFIGURATION;
    }
    terminal.tell("swapgate: internal error: " + e + "; run it again with --debug and report it");
    return ExitCode.INTERNAL;
  }

  private static void trace(Throwable thrown, Terminal terminal) {
    for (Throwable one = thrown; one != null; one = one.getCause()) {
      terminal.tell(one.toString());
      for (StackTraceElement element : one.getStackTrace()) {
        terminal.tell("  at " + element);
      }
    }
  }
}
