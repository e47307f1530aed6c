package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@code --set} says: values for every job, and values of which each makes a job of its own
 * ({@code 6.text=@prompts.txt}: one for each line of the file that is not blank).
 */
final class SetValues {

  private final Terminal terminal;
  private final ObjectNode common = Json.object();
  private final Map<String, List<String>> lines = new LinkedHashMap<>();

  SetValues(Terminal terminal, List<String> sets) {
    this.terminal = terminal;
    for (String set : sets) {
      int split = set.indexOf('=');
      if (split < 1) {
        throw new CliException(
            ExitCode.REFUSED, "--set " + set + ": write KEY=VALUE, for example 6.text=hello");
      }
      put(set.substring(0, split), set.substring(split + 1));
    }
  }

  private void put(String key, String value) {
    if (value.startsWith("@@")) {
      common.put(key, value.substring(1));
    } else if (value.startsWith("@")) {
      lines.put(key, read(key, value.substring(1)));
    } else {
      common.put(key, value);
    }
  }

  private List<String> read(String key, String name) {
    Path path = terminal.folder().resolve(name);
    String option = "--set " + key + "=@" + name + ": ";
    List<String> read;
    try {
      read = Files.readAllLines(path).stream().map(String::strip).toList();
    } catch (CharacterCodingException e) {
      throw new CliException(ExitCode.REFUSED, option + path + " is not UTF-8 text", e);
    } catch (IOException e) {
      throw new CliException(
          ExitCode.REFUSED,
          option
              + "there is no readable file "
              + path
              + "; a text that begins with @ is written @@",
          e);
    }
    List<String> values = read.stream().filter(line -> !line.isEmpty()).toList();
    if (values.isEmpty()) {
      throw new CliException(ExitCode.REFUSED, option + path + " has no line that is not blank");
    }
    return values;
  }

  /** Puts them into the body of a submission. */
  void into(ObjectNode body) {
    if (!common.isEmpty()) {
      body.set("set", common);
    }
    if (lines.isEmpty()) {
      return;
    }
    List<ObjectNode> crossed = List.of(Json.object());
    for (Map.Entry<String, List<String>> one : lines.entrySet()) {
      List<ObjectNode> more = new ArrayList<>();
      for (ObjectNode before : crossed) {
        one.getValue().forEach(value -> more.add(before.deepCopy().put(one.getKey(), value)));
      }
      crossed = more;
    }
    ArrayNode sets = body.putArray("sets");
    crossed.forEach(sets::add);
  }
}
