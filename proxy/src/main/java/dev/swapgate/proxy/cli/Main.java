package dev.swapgate.proxy.cli;

import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_FOOTER;

import dev.swapgate.proxy.config.ConfigException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** The command line's entry: parses, runs one command, turns its end into an exit code. */
public final class Main {

  private static final String SUBMIT = "submit";

  private Main() {}

  /** Ends the process with the command's exit code. */
  public static void main(String[] args) {
    System.exit(run(Terminal.ofThisProcess(), args));
  }

  static int run(Terminal terminal, String... args) {
    GlobalOptions options = new GlobalOptions();
    Session session = new Session(terminal, options);
    SubmitNames names = new SubmitNames(session);
    CommandLine line = new CommandLine(options, factory(names));
    for (Callable<Integer> command : commands(session)) {
      line.addSubcommand(command);
    }
    CommandLine submit = Objects.requireNonNull(line.getSubcommands().get(SUBMIT));
    submit.getHelpSectionMap().put(SECTION_KEY_FOOTER, help -> help.footer() + names.help());
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
    int code = line.execute(spelledOut(args, submit));
    terminal.out().flush();
    terminal.err().flush();
    return code;
  }

  private static List<Callable<Integer>> commands(Session session) {
    return List.of(
        new ServeCommand(session),
        new DemoCommand(session),
        new SubmitCommand(session),
        new WorkflowsCommand(session),
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
        new CooldownCommand(session),
        new HistoryCommand(session),
        new CheckCommand(session),
        new RehearseCommand(session),
        new ClientsCommand(session),
        new McpCommand(session),
        new InitCommand(session),
        new ConfigCommand(session),
        new CompletionCommand(session),
        new VersionCommand(session));
  }

  /**
   * A bare {@code --wait} is given its meaning before parsing: as an option with an optional value
   * it would swallow the word after it.
   */
  private static String[] spelledOut(String[] args, CommandLine submit) {
    List<String> all =
        Arrays.stream(args).map(arg -> arg.equals("--wait") ? "--wait=done" : arg).toList();
    int at = all.indexOf(SUBMIT);
    if (at < 0) {
      return all.toArray(String[]::new);
    }
    Map<String, Boolean> known = new HashMap<>();
    submit
        .getCommandSpec()
        .optionsMap()
        .forEach((option, spec) -> known.put(option, spec.arity().max() > 0));
    List<String> spelled = new ArrayList<>(all.subList(0, at + 1));
    spelled.addAll(NamedInputs.spelledOut(all.subList(at + 1, all.size()), known));
    return spelled.toArray(String[]::new);
  }

  private static CommandLine.IFactory factory(SubmitNames names) {
    CommandLine.IFactory standard = CommandLine.defaultFactory();
    return new CommandLine.IFactory() {
      @Override
      public <K> K create(Class<K> type) throws Exception {
        return type == SubmitNames.class ? type.cast(names) : standard.create(type);
      }
    };
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
