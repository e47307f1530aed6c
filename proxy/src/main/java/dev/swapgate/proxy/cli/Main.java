package dev.swapgate.proxy.cli;

import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_FOOTER;

import dev.swapgate.proxy.config.ConfigException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine;

/** The command line's entry: parses, runs one command, turns its end into an exit code. */
public final class Main {

  private static final String SUBMIT = "submit";
  private static final String COMPLETION = "completion";

  /** By name, in the order of the help text. */
  private static final Map<String, Function<Session, Callable<Integer>>> COMMANDS = commands();

  private Main() {}

  /** Ends the process with the command's exit code. */
  public static void main(String[] args) {
    System.exit(run(Terminal.ofThisProcess(), args));
  }

  static int run(Terminal terminal, String... args) {
    GlobalOptions options = new GlobalOptions();
    try (Session session = new Session(terminal, options)) {
      CommandLine line = line(session, options, args);
      if (args.length == 0) {
        line.usage(terminal.err());
        return ExitCode.REFUSED;
      }
      int code = line.execute(spelledOut(args, line));
      terminal.out().flush();
      terminal.err().flush();
      return code;
    }
  }

  private static CommandLine line(Session session, GlobalOptions options, String... args) {
    Terminal terminal = session.terminal();
    SubmitNames names = new SubmitNames(session);
    CommandLine line = new CommandLine(options, factory(names));
    meant(args).forEach((name, command) -> line.addSubcommand(name, command.apply(session)));
    CommandLine submit = line.getSubcommands().get(SUBMIT);
    if (submit != null) {
      submit.getHelpSectionMap().put(SECTION_KEY_FOOTER, help -> help.footer() + names.help());
    }
    line.getCommandSpec().version("swapgate " + Version.ofThisProgram());
    return line.setExpandAtFiles(false)
        .setOut(terminal.out())
        .setErr(terminal.err())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler((e, given) -> misused(e, terminal))
        .setExecutionExceptionHandler((e, command, parsed) -> failed(e, terminal, options.debug()));
  }

  /**
   * The command that the first word names, alone: to read what all the others would take costs more
   * time than most commands need. All of them where the first word is none, or is about all.
   */
  private static Map<String, Function<Session, Callable<Integer>>> meant(String... args) {
    String first = args.length == 0 ? "" : args[0];
    Function<Session, Callable<Integer>> command = COMMANDS.get(first);
    return command == null || first.equals(COMPLETION) ? COMMANDS : Map.of(first, command);
  }

  private static Map<String, Function<Session, Callable<Integer>>> commands() {
    Map<String, Function<Session, Callable<Integer>>> commands = new LinkedHashMap<>();
    commands.put("serve", ServeCommand::new);
    commands.put("demo", DemoCommand::new);
    commands.put(SUBMIT, SubmitCommand::new);
    commands.put("workflows", WorkflowsCommand::new);
    commands.put("jobs", JobsCommand::new);
    commands.put("job", JobCommand::new);
    commands.put("wait", WaitCommand::new);
    commands.put("cancel", CancelCommand::new);
    commands.put("fetch", FetchCommand::new);
    commands.put("logs", LogsCommand::new);
    commands.put("status", StatusCommand::new);
    commands.put("select", SelectCommand::new);
    commands.put("lease", LeaseCommand::new);
    commands.put("release", ReleaseCommand::new);
    commands.put("maintenance", MaintenanceCommand::new);
    commands.put("cooldown", CooldownCommand::new);
    commands.put("history", HistoryCommand::new);
    commands.put("check", CheckCommand::new);
    commands.put("rehearse", RehearseCommand::new);
    commands.put("clients", ClientsCommand::new);
    commands.put("mcp", McpCommand::new);
    commands.put("init", InitCommand::new);
    commands.put("config", ConfigCommand::new);
    commands.put(COMPLETION, CompletionCommand::new);
    commands.put("version", VersionCommand::new);
    return commands;
  }

  /**
   * A bare {@code --wait} is given its meaning before parsing: as an option with an optional value
   * it would swallow the word after it.
   */
  private static String[] spelledOut(String[] args, CommandLine line) {
    List<String> all =
        Arrays.stream(args).map(arg -> arg.equals("--wait") ? "--wait=done" : arg).toList();
    int at = all.indexOf(SUBMIT);
    CommandLine submit = line.getSubcommands().get(SUBMIT);
    if (at < 0 || submit == null) {
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
