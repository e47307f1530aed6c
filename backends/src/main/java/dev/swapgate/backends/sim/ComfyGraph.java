package dev.swapgate.backends.sim;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A graph in API format: node id → class and inputs, where an input that is {@code [id, slot]} is a
 * link. Knows what a result depends on, so that the same work gives the same bytes.
 */
public final class ComfyGraph {
  private final Map<String, Node> nodes;

  /** One node. */
  record Node(String id, String type, Map<String, @Nullable Object> inputs) {

    Optional<Link> link(String input) {
      return Link.of(inputs.get(input));
    }

    List<Link> links() {
      return inputs.values().stream().map(Link::of).flatMap(Optional::stream).toList();
    }
  }

  /** A reference to an output of another node. */
  record Link(String node, int slot) {
    static Optional<Link> of(@Nullable Object value) {
      List<@Nullable Object> pair = Json.asList(value);
      return pair.size() == 2
              && pair.get(0) instanceof String id
              && pair.get(1) instanceof Long slot
          ? Optional.of(new Link(id, slot.intValue()))
          : Optional.empty();
    }
  }

  ComfyGraph(Map<String, Node> nodes) {
    this.nodes = nodes;
  }

  /** Takes every value that has a class; anything else is not in the graph. */
  static ComfyGraph of(Map<String, @Nullable Object> json) {
    Map<String, Node> nodes = new LinkedHashMap<>();
    json.forEach(
        (id, value) -> {
          Map<String, @Nullable Object> fields = Json.asObject(value);
          String type = Json.asText(fields.get("class_type"), "");
          if (!type.isEmpty()) {
            nodes.put(id, new Node(id, type, Json.asObject(fields.get("inputs"))));
          }
        });
    return new ComfyGraph(nodes);
  }

  /**
   * The bytes the pretend ComfyUI will save for an output node of this workflow.
   *
   * @param workflow in API format
   * @param uploads the bytes behind each name that a LoadImage node uses
   * @param index which picture of a batch, from 0
   */
  public static byte[] expectedFile(
      String workflow, String outputNode, int index, Map<String, byte[]> uploads) {
    ComfyGraph graph = of(Json.asObject(Json.parse(workflow)));
    return graph.file(outputNode, index, name -> Optional.ofNullable(uploads.get(name)));
  }

  /** The same, for a workflow that loads no images. */
  public static byte[] expectedFile(String workflow, String outputNode, int index) {
    return expectedFile(workflow, outputNode, index, Map.of());
  }

  Map<String, Node> nodes() {
    return nodes;
  }

  @Nullable Node node(String id) {
    return nodes.get(id);
  }

  /** The node itself last, before it everything it needs, each once. */
  List<Node> needed(String id) {
    Map<String, Node> found = new LinkedHashMap<>();
    collect(id, found, new LinkedHashSet<>());
    return List.copyOf(found.values());
  }

  private void collect(String id, Map<String, Node> found, Set<String> onTheWay) {
    Node node = nodes.get(id);
    if (node == null || found.containsKey(id) || !onTheWay.add(id)) {
      return;
    }
    for (Link link : node.links()) {
      collect(link.node(), found, onTheWay);
    }
    found.put(id, node);
  }

  boolean hasCycle(String id) {
    return hasCycle(id, new LinkedHashSet<>(), new LinkedHashSet<>());
  }

  private boolean hasCycle(String id, Set<String> onTheWay, Set<String> checked) {
    if (!onTheWay.add(id)) {
      return true;
    }
    Node node = nodes.get(id);
    if (node != null && !checked.contains(id)) {
      for (Link link : node.links()) {
        if (hasCycle(link.node(), onTheWay, checked)) {
          return true;
        }
      }
    }
    checked.add(id);
    onTheWay.remove(id);
    return false;
  }

  /** Content of the file that an output node saves. */
  byte[] file(String outputNode, int index, Function<String, Optional<byte[]>> uploads) {
    Node node = nodes.get(outputNode);
    if (node == null) {
      throw new IllegalArgumentException("the workflow has no node " + outputNode);
    }
    boolean audio = node.type().equals("SaveAudio");
    Link source =
        node.link(audio ? "audio" : "images")
            .orElseThrow(() -> new IllegalArgumentException(outputNode + " saves nothing"));
    String key = key(source.node(), uploads) + "/" + source.slot() + "/" + index;
    return audio ? Sound.wav(key) : Picture.png(key);
  }

  /** Equal for two nodes, of whatever graphs, that would compute the same. */
  String key(String id, Function<String, Optional<byte[]>> uploads) {
    return key(id, uploads, new HashMap<>());
  }

  private String key(
      String id, Function<String, Optional<byte[]>> uploads, Map<String, String> known) {
    Node node = nodes.get(id);
    String computed = known.get(id);
    if (node == null || computed != null) {
      return computed == null ? "missing " + id : computed;
    }
    Map<String, @Nullable Object> parts = new TreeMap<>();
    for (Map.Entry<String, @Nullable Object> input : node.inputs().entrySet()) {
      Object value = input.getValue();
      Optional<Link> link = Link.of(value);
      if (link.isPresent()) {
        parts.put(
            input.getKey(), List.of(key(link.get().node(), uploads, known), link.get().slot()));
      } else if (node.type().equals("LoadImage") && value instanceof String name) {
        // The server may store an upload under another name: what counts is what is in it.
        parts.put(input.getKey(), uploads.apply(name).map(Digest::hex).orElse(name));
      } else {
        parts.put(input.getKey(), value);
      }
    }
    if (node.type().equals("LoadImage")) {
      parts.remove("upload");
    }
    String key =
        Digest.hex(
            (node.type() + Json.write(parts)).getBytes(java.nio.charset.StandardCharsets.UTF_8));
    known.put(id, key);
    return key;
  }
}
