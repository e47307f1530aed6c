package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The values that were given to a named workflow, as {@code --prompt "…"} or {@code --input
 * prompt=…}: put among those of {@code --set}; of a file the name, and the file goes along.
 */
final class NamedInputs {

  private final JsonNode workflow;
  private final List<String> sets = new ArrayList<>();
  private final List<String> files = new ArrayList<>();

  /**
   * @param given each {@code name=value}
   * @param images of {@code --image}; one without a name is the value of an input named image
   */
  NamedInputs(JsonNode workflow, List<String> given, List<String> images) {
    this.workflow = workflow;
    given.forEach(this::put);
    for (String image : images) {
      if (image.indexOf('=') < 0 && known("image").findAny().isPresent()) {
        put("image=" + image);
      } else {
        files.add(image);
      }
    }
  }

  private void put(String given) {
    int split = given.indexOf('=');
    if (split < 1) {
      throw new CliException(ExitCode.REFUSED, "--input " + given + ": write NAME=VALUE");
    }
    String name = given.substring(0, split);
    String value = given.substring(split + 1);
    String kind =
        known(name)
            .map(input -> Json.text(input, "kind"))
            .findFirst()
            .orElseThrow(() -> unknown(name));
    if (kind.equals("file")) {
      String plain = value.substring(value.lastIndexOf('/') + 1);
      String alone = files.stream().anyMatch(one -> one.startsWith(plain + "=")) ? name + "-" : "";
      files.add(alone + plain + "=" + value);
      sets.add(name + "=" + alone + plain);
    } else {
      sets.add(given);
    }
  }

  private Stream<JsonNode> known(String name) {
    return Json.items(workflow, "inputs").stream()
        .filter(input -> Json.text(input, "name").equals(name));
  }

  private CliException unknown(String name) {
    String all =
        Json.items(workflow, "inputs").stream()
            .map(input -> "--" + Json.text(input, "name"))
            .collect(Collectors.joining(" "));
    return new CliException(
        ExitCode.REFUSED,
        Json.text(workflow, "name")
            + " has no input "
            + name
            + (all.isEmpty() ? "; it has none" : "; it has " + all));
  }

  List<String> sets() {
    return sets;
  }

  List<String> files() {
    return files;
  }

  /** The named workflow; a {@link CliException} tells which there are. */
  static JsonNode find(AdminClient admin, String name) {
    JsonNode answer = admin.get("workflows");
    return Json.items(answer, "workflows").stream()
        .filter(one -> Json.text(one, "name").equals(name))
        .findFirst()
        .orElseThrow(() -> missing(answer, name));
  }

  private static CliException missing(JsonNode answer, String name) {
    List<String> backends = names(answer, "backends");
    List<String> workflows = names(answer, "workflows");
    String hint =
        backends.contains(name)
            ? name + " is a media backend and needs a file: swapgate submit " + name + " FILE"
            : "no workflow is named "
                + name
                + (workflows.isEmpty()
                    ? "; this box names none (workflows in swapgate.yaml)"
                    : "; there are: " + String.join(", ", workflows));
    return new CliException(ExitCode.REFUSED, hint);
  }

  private static List<String> names(JsonNode answer, String field) {
    return Json.items(answer, field).stream().map(one -> Json.text(one, "name")).toList();
  }

  /** The only media backend that takes a ComfyUI workflow. */
  static String onlyGraphTaker(AdminClient admin, String file) {
    List<String> takers =
        Json.items(admin.get("workflows"), "backends").stream()
            .filter(one -> Json.text(one, "type").toLowerCase(Locale.ROOT).equals("comfyui"))
            .map(one -> Json.text(one, "name"))
            .toList();
    if (takers.size() == 1) {
      return takers.getFirst();
    }
    throw new CliException(
        ExitCode.REFUSED,
        "name the media backend: swapgate submit BACKEND "
            + file
            + (takers.isEmpty() ? "" : "; there are: " + String.join(", ", takers)));
  }

  /**
   * Spells out options that are named by inputs ({@code --prompt X} → {@code --input=prompt=X}),
   * which nobody knows before swapgate was asked.
   *
   * @param known the options of {@code submit} and whether they take a value
   */
  static List<String> spelledOut(List<String> args, Map<String, Boolean> known) {
    List<String> spelled = new ArrayList<>();
    for (int i = 0; i < args.size(); i++) {
      String arg = args.get(i);
      String option = arg.contains("=") ? arg.substring(0, arg.indexOf('=')) : arg;
      if (arg.equals("--")) {
        spelled.addAll(args.subList(i, args.size()));
        return spelled;
      }
      boolean last = i + 1 == args.size();
      if (known.containsKey(option)) {
        spelled.add(arg);
        if (known.get(option) && !arg.contains("=") && !last) {
          spelled.add(args.get(++i));
        }
      } else if (!arg.matches("--[a-z][a-z0-9_-]*(=.*)?") || (last && !arg.contains("="))) {
        spelled.add(arg);
      } else {
        String value = arg.contains("=") ? arg.substring(option.length() + 1) : args.get(++i);
        spelled.add("--input=" + option.substring(2) + "=" + value);
      }
    }
    return spelled;
  }
}
