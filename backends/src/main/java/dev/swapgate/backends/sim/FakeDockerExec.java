package dev.swapgate.backends.sim;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Commands inside the containers of the fake daemon: a process each, which dies with the container.
 * One is begun once. Those of an earlier run of their container are not known any more, as in
 * Docker. Thread-safe.
 */
final class FakeDockerExec {
  private final Map<String, Command> all = new ConcurrentHashMap<>();

  private static final class Command {
    final FakeDockerContainer container;
    final String run;
    final List<String> words;
    @Nullable FakeDockerProcess process;
    @Nullable Integer exitCode;

    Command(FakeDockerContainer container, List<String> words) {
      this.container = container;
      this.run = container.state().startedAt().toString();
      this.words = words;
    }
  }

  /** {@code POST /containers/{name}/exec}. */
  FakeDockerAnswer create(FakeDockerContainer container, String body) {
    if (!container.isRunning()) {
      return FakeDockerAnswer.error(409, "Container " + container.id + " is not running");
    }
    List<String> words = new ArrayList<>();
    if (FakeDockerBody.object(body).get("Cmd") instanceof List<?> list) {
      list.forEach(word -> words.add(String.valueOf(word)));
    }
    if (words.isEmpty()) {
      return FakeDockerAnswer.error(400, "No exec command specified");
    }
    String id = UUID.randomUUID().toString().replace("-", "").repeat(2);
    all.put(id, new Command(container, List.copyOf(words)));
    return FakeDockerAnswer.json(201, Map.of("Id", id));
  }

  /** {@code POST /exec/{id}/start} and {@code GET /exec/{id}/json}. */
  FakeDockerAnswer answer(FakeDockerRequest request, String id, String verb) {
    Optional<Command> known =
        Optional.ofNullable(all.get(id))
            .filter(one -> one.container.isRunning())
            .filter(one -> one.run.equals(one.container.state().startedAt().toString()));
    if (known.isEmpty()) {
      return FakeDockerAnswer.error(404, "No such exec instance: " + id);
    }
    return switch (request.method() + " " + verb) {
      case "POST start" -> start(known.get(), id);
      case "GET json" -> FakeDockerAnswer.json(200, inspected(known.get(), id));
      default -> FakeDockerAnswer.error(404, "page not found");
    };
  }

  private static FakeDockerAnswer start(Command command, String id) {
    synchronized (command) {
      if (command.process != null) {
        String state = command.exitCode == null ? "is already running" : "has already run";
        return FakeDockerAnswer.error(409, "Error: Exec command " + id + " " + state);
      }
      try {
        FakeDockerProcess process =
            FakeDockerProcess.start(
                command.words,
                command.container.environment(),
                new File(command.container.folder()),
                new FakeDockerLog(),
                code -> ended(command, code));
        command.process = process;
        var unused = command.container.nextExit().thenRun(() -> process.signal("KILL"));
        return new FakeDockerAnswer.Whole(200, "text/plain", "");
      } catch (IOException failed) {
        return FakeDockerAnswer.error(400, "OCI runtime exec failed: " + failed.getMessage());
      }
    }
  }

  private static void ended(Command command, int code) {
    synchronized (command) {
      command.exitCode = code;
    }
  }

  private static Map<String, @Nullable Object> inspected(Command command, String id) {
    synchronized (command) {
      Map<String, @Nullable Object> json = new LinkedHashMap<>();
      json.put("ID", id);
      json.put("Running", command.process != null && command.exitCode == null);
      json.put("ExitCode", command.exitCode == null ? null : command.exitCode.longValue());
      json.put("ContainerID", command.container.id);
      json.put("Pid", command.process == null ? 0 : command.process.pid());
      return json;
    }
  }
}
