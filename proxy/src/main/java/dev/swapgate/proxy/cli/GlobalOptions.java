package dev.swapgate.proxy.cli;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The top command and the options that every command takes. */
@Command(
    name = "swapgate",
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = "Lets a chat engine and media servers take turns on one card.",
    footer = {
      "",
      "Exit codes: 0 done, 1 job failed or cancelled, 2 usage or refused input,",
      "3 swapgate not reachable, 4 timed out, 69 Docker unreachable or port in use,",
      "70 internal error, 78 bad configuration."
    })
final class GlobalOptions {

  @Option(
      names = "--config",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      order = 100,
      description =
          "The configuration (else $SWAPGATE_CONFIG, ./swapgate.yaml,"
              + " ~/.config/swapgate/swapgate.yaml, /etc/swapgate/swapgate.yaml).")
  private Optional<Path> config = Optional.empty();

  @Option(
      names = "--admin",
      paramLabel = "URL",
      scope = ScopeType.INHERIT,
      order = 101,
      description =
          "Where swapgate's admin API answers (else $SWAPGATE_ADMIN, admin.listen of the"
              + " configuration, http://127.0.0.1:8485).")
  private Optional<String> admin = Optional.empty();

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      order = 102,
      description = "Holds the admin token (else $SWAPGATE_TOKEN, admin.token in state_dir).")
  private Optional<Path> tokenFile = Optional.empty();

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      order = 103,
      description = "Show the stack trace of an error.")
  private boolean debug;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      order = 104,
      description = "Show this text.")
  private boolean help;

  @Option(names = "--version", versionHelp = true, order = 105, description = "Show the version.")
  private boolean version;

  Optional<Path> config() {
    return config;
  }

  Optional<String> admin() {
    return admin;
  }

  Optional<Path> tokenFile() {
    return tokenFile;
  }

  boolean debug() {
    return debug;
  }

  boolean help() {
    return help;
  }

  boolean version() {
    return version;
  }
}
