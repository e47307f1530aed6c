package dev.swapgate.backends.job;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.backends.media.Json;
import dev.swapgate.backends.media.MediaServer;
import dev.swapgate.gate.core.JobAnswer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** One entry of ComfyUI's history: a job that has ended. */
record ComfyEntry(JsonNode entry) {
  private static final int REASON_LIMIT = 1_000;
  private static final Set<String> MESHES =
      Set.of(".glb", ".gltf", ".obj", ".ply", ".stl", ".fbx", ".usdz", ".splat", ".spz", ".ksplat");

  /** One thing a node gave. */
  sealed interface Output {
    record Stored(String filename, String subfolder, String type) implements Output {
      String view() {
        return "/view?filename="
            + MediaServer.encoded(filename)
            + "&subfolder="
            + MediaServer.encoded(subfolder)
            + "&type="
            + MediaServer.encoded(type);
      }
    }

    record Text(String name, String text) implements Output {}
  }

  /** Finished, Errored or Interrupted. A job in error may have outputs; it is no success. */
  JobAnswer end() {
    JsonNode status = entry.path("status");
    if (!status.path("status_str").asText("").equals("error")) {
      return new JobAnswer.Finished();
    }
    for (JsonNode message : status.path("messages")) {
      JsonNode about = message.path(1);
      switch (message.path(0).asText("")) {
        case "execution_interrupted" -> {
          return new JobAnswer.Interrupted();
        }
        case "execution_error" -> {
          return new JobAnswer.Errored(failure(about));
        }
        default -> {}
      }
    }
    return new JobAnswer.Errored("the server says the job failed and no more");
  }

  private static String failure(JsonNode about) {
    return Json.line(
        "node "
            + about.path("node_id").asText("?")
            + " ("
            + about.path("node_type").asText("?")
            + ") failed: "
            + about.path("exception_type").asText("?")
            + ": "
            + about.path("exception_message").asText(""),
        REASON_LIMIT);
  }

  /**
   * Everything its nodes gave, each once. Previews (and files that only pass through) count when
   * there is no other file.
   */
  List<Output> outputs() {
    Set<Output> found = new LinkedHashSet<>();
    for (Map.Entry<String, JsonNode> node : entry.path("outputs").properties()) {
      for (Map.Entry<String, JsonNode> kind : node.getValue().properties()) {
        int n = 0;
        for (JsonNode item : kind.getValue()) {
          collect(node.getKey(), kind.getKey(), ++n, item, found);
        }
      }
    }
    boolean kept = found.stream().anyMatch(ComfyEntry::isKept);
    return found.stream()
        .filter(one -> !kept || one instanceof Output.Text || isKept(one))
        .toList();
  }

  private static void collect(String node, String kind, int n, JsonNode item, Set<Output> found) {
    if (item.path("filename").isTextual()) {
      found.add(
          new Output.Stored(
              item.path("filename").asText(),
              item.path("subfolder").asText(""),
              item.path("type").asText("output")));
    } else if (item.isTextual() && isMesh(item.asText())) {
      found.add(mesh(item.asText()));
    } else if (item.isTextual() && kind.equals("text")) {
      String number = n == 1 ? "" : "-" + n;
      found.add(new Output.Text("text-" + node + number + ".txt", item.asText()));
    }
  }

  private static boolean isKept(Output output) {
    return output instanceof Output.Stored file
        && !file.type().equals("temp")
        && !file.type().equals("input");
  }

  private static boolean isMesh(String text) {
    String name = plain(text).toLowerCase(Locale.ROOT);
    return name.lastIndexOf('.') >= 0 && MESHES.contains(name.substring(name.lastIndexOf('.')));
  }

  private static Output mesh(String text) {
    String type =
        text.endsWith(" [temp]") ? "temp" : text.endsWith(" [input]") ? "input" : "output";
    String path = plain(text).replace('\\', '/');
    int slash = path.lastIndexOf('/');
    return new Output.Stored(
        path.substring(slash + 1), slash < 0 ? "" : path.substring(0, slash), type);
  }

  /** Without the note of the folder that some nodes append. */
  private static String plain(String text) {
    return text.replaceAll(" \\[(output|temp|input)\\]$", "");
  }
}
