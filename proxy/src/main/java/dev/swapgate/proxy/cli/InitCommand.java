package dev.swapgate.proxy.cli;

import dev.swapgate.proxy.app.LocalInit;
import dev.swapgate.proxy.app.StartException;
import dev.swapgate.proxy.init.Draft;
import dev.swapgate.proxy.init.LlamaSwap;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code init}: a first configuration from what this box has, or from another program's file. */
@Command(
    name = "init",
    description = {
      "Write a first swapgate.yaml from the containers that Docker has, running or not.",
      "It starts, stops and overwrites nothing."
    })
final class InitCommand implements Callable<Integer> {

  private static final String DOCKER_VARIABLE = "DOCKER_HOST";

  private final Session session;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..1",
      description =
          "Where to write, - for standard output; swapgate.yaml by default. With --from: the file"
              + " to read; the result goes to standard output.")
  private Optional<String> file = Optional.empty();

  @Option(
      names = "--from",
      paramLabel = "PROGRAM",
      description =
          "Read the FILE of another program: llama-swap. Its docker run lines become docker create"
              + " lines, as comments.")
  private Optional<String> from = Optional.empty();

  @Option(
      names = "--docker",
      paramLabel = "ADDRESS",
      description = "The daemon (else $" + DOCKER_VARIABLE + ", unix:///var/run/docker.sock).")
  private Optional<String> docker = Optional.empty();

  InitCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    return from.isPresent() ? translate(from.get()) : write(file.orElse("swapgate.yaml"));
  }

  private int translate(String program) {
    if (!program.equals("llama-swap")) {
      throw refused("--from knows llama-swap only, not \"" + program + "\"");
    }
    Path path = path(file.orElseThrow(() -> refused("--from llama-swap needs the file to read")));
    String text;
    try {
      text = Files.readString(path);
    } catch (IOException e) {
      throw new CliException(
          ExitCode.REFUSED, "cannot read " + path + "; check path, rights and that it is UTF-8", e);
    }
    Draft draft = LlamaSwap.draft(path.toString(), text);
    tellWhatIsLeft(draft);
    if (draft.engines() == 0) {
      throw refused("no model in " + path + " is a docker run line, so there is nothing to write");
    }
    print(draft);
    return ExitCode.DONE;
  }

  private int write(String name) {
    Path path = path(name);
    if (!name.equals("-") && Files.exists(path)) {
      throw refused(path + " is there already and is not overwritten; name another file, or -");
    }
    Draft draft = draft();
    tellWhatIsLeft(draft);
    if (draft.engines() == 0) {
      throw refused(
          "no chat engine was recognised among Docker's containers, so nothing was written; make"
              + " one with docker create, or begin with compose/swapgate.yaml");
    }
    if (name.equals("-")) {
      print(draft);
      return ExitCode.DONE;
    }
    try {
      Files.writeString(path, draft.text(), StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException e) {
      throw new CliException(ExitCode.REFUSED, path + " has just been made by another", e);
    } catch (IOException e) {
      throw new CliException(ExitCode.REFUSED, "cannot write " + path + ": " + e, e);
    }
    session
        .terminal()
        .say(
            "wrote %s: %d chat engine%s, %d media server%s; read it, then: swapgate check"
                .formatted(
                    path,
                    draft.engines(),
                    draft.engines() == 1 ? "" : "s",
                    draft.media(),
                    draft.media() == 1 ? "" : "s"));
    return ExitCode.DONE;
  }

  private Draft draft() {
    try {
      return LocalInit.draft(daemon());
    } catch (StartException notUsable) {
      throw new CliException(
          notUsable.exitCode(), String.valueOf(notUsable.getMessage()), notUsable);
    }
  }

  private URI daemon() {
    String text =
        docker
            .or(() -> Optional.ofNullable(session.terminal().environment().get(DOCKER_VARIABLE)))
            .filter(address -> !address.isBlank())
            .orElse("unix:///var/run/docker.sock");
    try {
      return URI.create(text);
    } catch (IllegalArgumentException e) {
      throw new CliException(
          ExitCode.REFUSED, "\"" + text + "\" is no address of a Docker daemon", e);
    }
  }

  private Path path(String name) {
    return session.terminal().folder().resolve(name);
  }

  private void print(Draft draft) {
    draft.text().lines().forEach(session.terminal()::say);
  }

  private void tellWhatIsLeft(Draft draft) {
    draft.left().forEach(line -> session.terminal().tell("left out: " + line));
  }

  private static CliException refused(String message) {
    return new CliException(ExitCode.REFUSED, message);
  }
}
