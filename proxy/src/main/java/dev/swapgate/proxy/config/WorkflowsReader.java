package dev.swapgate.proxy.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.swapgate.backends.recipe.Inputs;
import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.proxy.workflows.Naming;
import dev.swapgate.proxy.workflows.Workflow;
import dev.swapgate.proxy.workflows.WorkflowException;
import dev.swapgate.proxy.workflows.WorkflowFile;
import dev.swapgate.proxy.workflows.Workflows;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads {@code workflows}, and the files that it names. */
final class WorkflowsReader {

  private static final String INPUT = "[a-z][a-z0-9_-]{0,62}";
  private static final List<String> MAKES = List.of("image", "music", "other");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path folder;
  private final Map<String, MediaSettings> media;
  private final Set<String> models;

  /**
   * @param folder against which paths are resolved
   * @param media by name
   * @param models names that clients use for chat models
   */
  WorkflowsReader(Path folder, List<MediaSettings> media, Set<String> models) {
    this.folder = folder;
    this.media =
        media.stream()
            .collect(
                Collectors.toMap(
                    one -> one.backend().id().value(),
                    one -> one,
                    (first, same) -> first,
                    LinkedHashMap::new));
    this.models = models;
  }

  Workflows read(Section all) {
    List<Workflow> found = new ArrayList<>();
    for (String name : all.freeKeys()) {
      all.section(name).flatMap(section -> workflow(all, name, section)).ifPresent(found::add);
    }
    Map<Backend.Id, String> types = new HashMap<>();
    media.values().forEach(one -> types.put(one.backend().id(), one.type().word()));
    return new Workflows(found, types);
  }

  private Optional<Workflow> workflow(Section all, String name, Section section) {
    checkName(all, name);
    String backend = section.required("backend", "", "the media backend that runs it");
    String file = section.required("file", "", "the file in which the workflow or request lies");
    Map<String, String> inputs = section.textMap("inputs");
    Optional<String> makes = section.text("makes");
    section.done();
    MediaSettings settings = media.get(backend);
    if (makes.isPresent() && !MAKES.contains(makes.get())) {
      section.problem(
          "makes", "\"" + makes.get() + "\" is not known; write " + String.join(", ", MAKES));
    }
    if (!backend.isEmpty() && settings == null) {
      section.problem(
          "backend",
          "\""
              + backend
              + "\" is no media backend; there are: "
              + String.join(", ", media.keySet()));
    }
    inputs.keySet().stream()
        .filter(input -> !input.matches(INPUT))
        .forEach(
            input ->
                section.problem(
                    "inputs",
                    "\""
                        + input
                        + "\" is no name for an input; use a-z 0-9 _ - and begin with a letter"));
    Optional<ObjectNode> document = file.isEmpty() ? Optional.empty() : document(section, file);
    if (settings == null || document.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          Naming.named(
              name,
              settings.backend().id(),
              folder.resolve(file).normalize(),
              settings.type() instanceof MediaSettings.Type.ComfyUi,
              makes.orElseGet(() -> usual(settings.type())),
              document.get(),
              known(settings.type()),
              inputs,
              (input, why) -> section.problem("inputs", input + ": " + why)));
    } catch (WorkflowException e) {
      section.problem("file", folder.resolve(file) + " " + e.getMessage());
      return Optional.empty();
    }
  }

  private static String usual(MediaSettings.Type type) {
    return switch (type) {
      case MediaSettings.Type.ComfyUi comfyUi -> "image";
      case MediaSettings.Type.AceStep aceStep -> "music";
      case MediaSettings.Type.OneCall call -> "other";
      case MediaSettings.Type.Steps steps -> "other";
      case MediaSettings.Type.Exits exits -> "other";
    };
  }

  private void checkName(Section all, String name) {
    if (!name.matches(BackendsReader.ID)) {
      all.problem(
          name, "is no name for a workflow; use a-z 0-9 _ - and begin with a letter or digit");
    } else if (media.containsKey(name)) {
      all.problem(name, "is the name of a media backend; choose another one");
    } else if (models.contains(name)) {
      all.problem(name, "is the name of a chat model under engines; choose another one");
    }
  }

  private Optional<ObjectNode> document(Section section, String file) {
    Path path = folder.resolve(file).normalize();
    if (!Files.isRegularFile(path)) {
      section.problem("file", "there is no file " + path);
      return Optional.empty();
    }
    try (InputStream in = Files.newInputStream(path)) {
      return Optional.of(WorkflowFile.read(in));
    } catch (WorkflowException e) {
      section.problem("file", path + " " + e.getMessage());
    } catch (IOException e) {
      section.problem(
          "file",
          path + " cannot be read (" + e.getClass().getSimpleName() + "); check its rights");
    }
    return Optional.empty();
  }

  /** What a described server takes: with its default, or as a text. */
  private static Map<String, JsonNode> known(MediaSettings.Type type) {
    Inputs inputs =
        switch (type) {
          case MediaSettings.Type.OneCall call -> call.recipe().inputs();
          case MediaSettings.Type.Steps steps -> steps.recipe().inputs();
          case MediaSettings.Type.Exits exits -> exits.recipe().inputs();
          case MediaSettings.Type.ComfyUi comfyUi -> new Inputs(Set.of(), Map.of());
          case MediaSettings.Type.AceStep aceStep -> new Inputs(Set.of(), Map.of());
        };
    Map<String, JsonNode> known = new HashMap<>();
    inputs.needs().forEach(name -> known.put(name, TextNode.valueOf("")));
    inputs.defaults().forEach((name, json) -> known.put(name, parsed(json)));
    return known;
  }

  private static JsonNode parsed(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a default that was read is JSON", e);
    }
  }
}
