package dev.swapgate.backends.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.swapgate.backends.media.AnswerException;
import dev.swapgate.backends.media.Json;
import dev.swapgate.backends.media.MediaServer;
import dev.swapgate.backends.media.MultipartForm;
import dev.swapgate.gate.core.JobRequest;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A file that a workflow loads and the server must have first.
 *
 * @param name what the workflow calls it
 * @param content where its bytes are
 */
record ComfyFile(String name, Content content) {

  sealed interface Content {
    /** A file of ours. */
    record OnDisk(Path path) implements Content {}

    /** It came inside the request. */
    record Inline(String base64) implements Content {}
  }

  /** The {@code images} of the serverless form: {@code [{"name", "image": base64 or data URI}]}. */
  static List<ComfyFile> embedded(JsonNode images) {
    List<ComfyFile> files = new ArrayList<>();
    for (JsonNode image : images) {
      String name = image.path("name").asText("");
      String data = image.path("image").asText("");
      if (name.isEmpty() || data.isEmpty()) {
        throw AnswerException.rejected("an entry of images has no name or no image");
      }
      String base64 = data.startsWith("data:") ? data.substring(data.indexOf(',') + 1) : data;
      try {
        Base64.getMimeDecoder().decode(base64);
      } catch (IllegalArgumentException broken) {
        throw AnswerException.rejected("the image '" + name + "' is not base64");
      }
      if (data.startsWith("http://") || data.startsWith("https://")) {
        throw AnswerException.rejected(
            "the image '" + name + "' is an address; nothing is fetched, attach the file itself");
      }
      files.add(new ComfyFile(name, new Content.Inline(base64)));
    }
    return files;
  }

  /** All files of a request; Rejected when the workflow has no use for one of them. */
  static List<ComfyFile> all(ComfyGraph graph, List<JobRequest.Attachment> attachments) {
    List<ComfyFile> files = new ArrayList<>(graph.images());
    for (JobRequest.Attachment attached : attachments) {
      files.add(new ComfyFile(attached.name(), new Content.OnDisk(Path.of(attached.path()))));
    }
    Set<String> names = new HashSet<>();
    for (ComfyFile file : files) {
      if (!names.add(file.name())) {
        throw AnswerException.rejected("two files are named '" + file.name() + "'");
      }
      if (file.places(graph).isEmpty()) {
        throw AnswerException.rejected(
            "no node of this workflow loads '" + file.name() + "'" + loaded(graph));
      }
    }
    return files;
  }

  private static String loaded(ComfyGraph graph) {
    String places =
        graph.nodes().properties().stream()
            .filter(node -> loads(node.getValue()))
            .flatMap(
                node ->
                    ComfyGraph.inputs(node.getValue()).properties().stream()
                        .filter(input -> input.getValue().isTextual())
                        .map(
                            input -> node.getKey() + "." + input.getKey() + "=" + input.getValue()))
            .limit(10)
            .collect(Collectors.joining(", "));
    return places.isEmpty() ? "" : "; what it loads stands in " + places;
  }

  private static boolean loads(JsonNode node) {
    return node.path("class_type").asText("").toLowerCase(Locale.ROOT).contains("load");
  }

  /** The inputs that mean this file: those of loading nodes, else any that hold its name. */
  private List<Place> places(ComfyGraph graph) {
    List<Place> all = new ArrayList<>();
    for (JsonNode node : graph.nodes()) {
      for (Map.Entry<String, JsonNode> input : ComfyGraph.inputs(node).properties()) {
        String value = input.getValue().asText("");
        if (value.equals(name) || value.equals(name + " [input]")) {
          all.add(new Place(ComfyGraph.inputs(node), input.getKey(), loads(node)));
        }
      }
    }
    List<Place> loading = all.stream().filter(Place::loads).toList();
    return loading.isEmpty() ? all : loading;
  }

  private record Place(ObjectNode inputs, String input, boolean loads) {}

  /** Uploads it and makes the graph use the name the server gave it. */
  void upload(MediaServer server, ComfyGraph graph) {
    List<Place> places = places(graph);
    MediaServer.Reply reply = sent(server);
    if (reply.status() >= 400 && reply.status() < 500) {
      throw AnswerException.rejected(
          "the server would not take the file '"
              + name
              + "': status "
              + reply.status()
              + " "
              + Json.line(reply.body(), 200));
    }
    JsonNode stored = reply.ok();
    String given = stored.path("name").asText("");
    if (given.isEmpty()) {
      throw reply.odd();
    }
    String folder = stored.path("subfolder").asText("");
    JsonNode value = TextNode.valueOf(folder.isEmpty() ? given : folder + "/" + given);
    places.forEach(place -> place.inputs().set(place.input(), value));
  }

  private MediaServer.Reply sent(MediaServer server) {
    MultipartForm form = new MultipartForm();
    // Without "overwrite": a file of that name may be the owner's; the server then picks another.
    form.field("type", "input");
    form.file("image", name, bytes());
    return server.send("/upload/image", form.contentType(), form.body());
  }

  private HttpRequest.BodyPublisher bytes() {
    return switch (content) {
      case Content.Inline inline ->
          HttpRequest.BodyPublishers.ofByteArray(Base64.getMimeDecoder().decode(inline.base64()));
      case Content.OnDisk file -> MultipartForm.onDisk(name, file.path());
    };
  }
}
