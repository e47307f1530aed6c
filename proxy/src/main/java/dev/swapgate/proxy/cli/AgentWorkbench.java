package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.swapgate.proxy.mcp.Workbench;
import dev.swapgate.proxy.mcp.WorkbenchException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What an agent's tools do: the same questions to the admin API that the commands ask. */
final class AgentWorkbench implements Workbench {

  private final Session session;
  private final Path folder;
  private final Map<String, String> underWay = new HashMap<>();

  /**
   * @param folder for what is made
   */
  AgentWorkbench(Session session, Path folder) {
    this.session = session;
    this.folder = folder;
  }

  private static <T> T told(Supplier<T> asked) {
    try {
      return asked.get();
    } catch (CliException e) {
      throw new WorkbenchException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public List<Offer> offers() {
    return told(
        () ->
            Json.items(session.admin().get("workflows"), "workflows").stream()
                .map(
                    one ->
                        new Offer(
                            Json.text(one, "name"),
                            Json.text(one, "makes"),
                            Json.items(one, "inputs").stream().map(AgentWorkbench::input).toList()))
                .toList());
  }

  private static Input input(JsonNode input) {
    return new Input(Json.text(input, "name"), Json.text(input, "kind"), input.path("value"));
  }

  @Override
  public Made make(String workflow, Map<String, String> values, Consumer<String> progress) {
    return told(
        () -> {
          AdminClient admin = session.admin();
          String job = submitted(admin, workflow, values);
          progress.accept("job " + job + " is accepted");
          Terminal terminal = session.terminal().telling(lines(progress));
          JsonNode ended =
              new JobWatch(admin, terminal).await(job, JobWatch.Until.CHAT, Optional.empty());
          return made(admin, ended);
        });
  }

  /** A call that says the same as one whose job has not ended goes on waiting for that. */
  private synchronized String submitted(
      AdminClient admin, String workflow, Map<String, String> values) {
    String what = workflow + new TreeMap<>(values);
    String before = underWay.get(what);
    if (before != null && !JobWatch.isOver(admin.get("jobs/" + AdminClient.part(before)))) {
      return before;
    }
    List<String> given = new ArrayList<>();
    values.forEach((name, value) -> given.add(name + "=" + value));
    NamedInputs inputs = new NamedInputs(NamedInputs.find(admin, workflow), given, List.of());
    ObjectNode body = Json.object();
    body.put("workflow_name", workflow);
    ObjectNode set = body.putObject("set");
    for (String one : inputs.sets()) {
      int split = one.indexOf('=');
      set.put(one.substring(0, split), one.substring(split + 1));
    }
    JsonNode accepted =
        inputs.files().isEmpty()
            ? admin.post("jobs", body)
            : admin.post("jobs", body, files(inputs.files()));
    String job = Json.text(accepted, "id");
    underWay.put(what, job);
    return job;
  }

  private Map<String, Path> files(List<String> named) {
    Map<String, Path> files = new LinkedHashMap<>();
    for (String one : named) {
      int split = one.indexOf('=');
      Path path = session.terminal().folder().resolve(one.substring(split + 1));
      if (!Files.isRegularFile(path)) {
        throw new CliException(ExitCode.REFUSED, "there is no file " + path);
      }
      files.put(one.substring(0, split), path);
    }
    return files;
  }

  @Override
  public Made status(String job) {
    return told(
        () -> {
          AdminClient admin = session.admin();
          return made(admin, admin.get("jobs/" + AdminClient.part(job)));
        });
  }

  private Made made(AdminClient admin, JsonNode job) {
    String id = Json.text(job, "id");
    String state = Json.text(job, "state");
    if (!JobWatch.isOver(job)) {
      return new Made("job " + id + " is " + state, List.of());
    }
    if (!state.equals("done")) {
      throw new CliException(
          ExitCode.FAILED, "job " + id + " " + state + ": " + Json.text(job, "error"));
    }
    List<Path> saved = saved(admin, job);
    StringBuilder text = new StringBuilder("job " + id + " is done; its files:");
    saved.forEach(path -> text.append("\n").append(path));
    return new Made(text.toString(), saved);
  }

  /** Once: who asks again is told where they are. */
  private List<Path> saved(AdminClient admin, JsonNode job) {
    Path own = folder.resolve(Json.text(job, "id"));
    List<Path> there =
        Json.names(job, "files").stream().map(own::resolve).filter(Files::isRegularFile).toList();
    return there.size() == Json.names(job, "files").size()
        ? there
        : new Downloads(admin).save(job, own);
  }

  @Override
  public String gpu() {
    return told(() -> session.admin().get("status").toString());
  }

  /** Each line that is written is handed on. */
  private static PrintWriter lines(Consumer<String> line) {
    return new PrintWriter(
        new Writer() {
          private final StringBuilder begun = new StringBuilder();

          @Override
          public void write(char[] chars, int from, int count) {
            for (int i = from; i < from + count; i++) {
              if (chars[i] == '\n') {
                line.accept(begun.toString().strip());
                begun.setLength(0);
              } else {
                begun.append(chars[i]);
              }
            }
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        },
        true);
  }
}
