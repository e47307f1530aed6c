package dev.swapgate.backends.sim;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code /object_info}: what the nodes take and give. */
final class ComfyObjectInfo {

  private ComfyObjectInfo() {}

  static Map<String, @Nullable Object> all(List<String> checkpoints) {
    Map<String, @Nullable Object> infos = new LinkedHashMap<>();
    ComfyNodes.all().forEach(type -> infos.put(type.name(), info(type, checkpoints)));
    return infos;
  }

  /** An object with the one class; an empty one when it is not known. */
  static Map<String, @Nullable Object> one(String name, List<String> checkpoints) {
    return ComfyNodes.type(name)
        .map(type -> Json.object(name, info(type, checkpoints)))
        .orElseGet(Json::object);
  }

  private static Map<String, @Nullable Object> info(
      ComfyNodes.Type type, List<String> checkpoints) {
    Map<String, @Nullable Object> required = new LinkedHashMap<>();
    Map<String, @Nullable Object> optional = new LinkedHashMap<>();
    for (ComfyNodes.Input input : type.inputs()) {
      Object kind = input.type().equals("CKPT") ? checkpoints : input.type();
      Map<String, @Nullable Object> limits =
          input.max() < input.min()
              ? Json.object()
              : Json.object("min", input.min(), "max", input.max());
      (input.required() ? required : optional).put(input.name(), List.of(kind, limits));
    }
    return Json.object(
        "name", type.name(),
        "input", Json.object("required", required, "optional", optional),
        "output", type.outputs(),
        "output_node", type.isOutput(),
        "category", "sim");
  }
}
