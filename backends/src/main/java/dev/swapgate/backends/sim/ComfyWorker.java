package dev.swapgate.backends.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that runs prompts, apart from the threads that answer HTTP, as in the real server:
 * when it hangs, HTTP goes on.
 *
 * <p>A text in the graph steers it: {@code sim:error} fails at the first step, {@code sim:partial}
 * after the first output, {@code sim:hang} never gets on and can't be interrupted, {@code
 * sim:crash} ends the process.
 */
final class ComfyWorker {
  private final ComfyQueue queue;
  private final ComfySockets sockets;
  private final ComfyFiles files;
  private final Optional<Claim> claim;
  private final int idleMib;
  private final int jobMib;
  private final Duration stepTime;
  private final Map<String, Map<String, @Nullable Object>> savedBefore = new HashMap<>();
  private final Set<String> computedBefore = new HashSet<>();

  /** The nodes of the prompt at work that are done. */
  private final Set<String> finished = new HashSet<>();

  /** Ends a prompt; what the history says about it. */
  private static final class Ended extends RuntimeException {
    final ComfyPrompt.Status status;
    final String event;
    final transient Map<String, @Nullable Object> details;

    Ended(ComfyPrompt.Status status, String event, Map<String, @Nullable Object> details) {
      super(event);
      this.status = status;
      this.event = event;
      this.details = details;
    }
  }

  ComfyWorker(
      ComfyQueue queue,
      ComfySockets sockets,
      ComfyFiles files,
      Optional<Claim> claim,
      int idleMib,
      int jobMib,
      Duration stepTime) {
    this.queue = queue;
    this.sockets = sockets;
    this.files = files;
    this.claim = claim;
    this.idleMib = idleMib;
    this.jobMib = jobMib;
    this.stepTime = stepTime;
  }

  void start() {
    Thread.ofPlatform().daemon().name("sim-comfyui-worker").start(this::work);
  }

  private void work() {
    while (true) {
      try {
        Optional<ComfyPrompt> next = queue.take();
        if (next.isPresent()) {
          run(next.get());
          queue.finished(next.get());
        } else {
          // What /free gives back; the context stays.
          computedBefore.clear();
          savedBefore.clear();
          claim.ifPresent(held -> held.resize(idleMib));
        }
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void run(ComfyPrompt prompt) {
    prompt.begin();
    sockets.tell(prompt, "execution_start", Json.object());
    finished.clear();
    try {
      growOrFail(prompt);
      reportCached(prompt);
      for (String output : prompt.outputNodes) {
        Map<String, @Nullable Object> result = result(prompt, output);
        prompt.output(output, result);
        sockets.tell(prompt, "executed", Json.object("node", output, "output", result));
        if (mentions(prompt, "sim:partial")) {
          throw failure(
              prompt, output, "RuntimeError", "a failure after the first output was asked for");
        }
      }
      prompt.end(ComfyPrompt.Status.COMPLETED, "execution_success", Json.object());
    } catch (Ended e) {
      prompt.end(e.status, e.event, e.details);
    } catch (RuntimeException e) {
      Ended failed =
          failure(prompt, "", e.getClass().getSimpleName(), String.valueOf(e.getMessage()));
      prompt.end(failed.status, failed.event, failed.details);
    }
    sockets.tell(prompt, "executing", Json.object("node", null));
  }

  private void growOrFail(ComfyPrompt prompt) {
    try {
      claim.ifPresent(held -> held.resize(jobMib));
    } catch (CardException.Full e) {
      throw failure(
          prompt, "", "torch.OutOfMemoryError", "Allocation on device. " + e.getMessage());
    }
  }

  private void reportCached(ComfyPrompt prompt) {
    List<String> cached = new ArrayList<>();
    for (ComfyGraph.Node node : prompt.graph.nodes().values()) {
      String key = prompt.graph.key(node.id(), files::input);
      if (computedBefore.contains(key) || savedBefore.containsKey(key)) {
        cached.add(node.id());
      }
    }
    prompt.message("execution_cached", Json.object("nodes", cached));
    finished.addAll(cached);
    sockets.tell(prompt, "execution_cached", Json.object("nodes", cached));
  }

  /** What one output node gives: the earlier names when the same graph ran before. */
  private Map<String, @Nullable Object> result(ComfyPrompt prompt, String output) {
    String key = prompt.graph.key(output, files::input);
    Map<String, @Nullable Object> before = savedBefore.get(key);
    if (before != null) {
      return before;
    }
    int batch = 1;
    for (ComfyGraph.Node node : prompt.graph.needed(output)) {
      batch = (int) Math.max(batch, Json.asLong(node.inputs().get("batch_size"), 1));
      compute(prompt, node);
    }
    ComfyGraph.Node node = prompt.graph.nodes().get(output);
    ComfyNodes.Saves saves =
        node == null
            ? ComfyNodes.Saves.NOTHING
            : ComfyNodes.type(node.type()).orElseThrow().saves();
    String prefix =
        node == null ? "" : Json.asText(node.inputs().get("filename_prefix"), "ComfyUI_temp_sim");
    List<Map<String, @Nullable Object>> saved = new ArrayList<>();
    for (int i = 0; i < batch; i++) {
      saved.add(
          files.save(
              saves == ComfyNodes.Saves.PREVIEW ? "temp" : "output",
              prefix,
              saves == ComfyNodes.Saves.AUDIO ? "wav" : "png",
              prompt.graph.file(output, i, files::input)));
    }
    Map<String, @Nullable Object> result =
        Json.object(saves == ComfyNodes.Saves.AUDIO ? "audio" : "images", saved);
    savedBefore.put(key, result);
    return result;
  }

  private void compute(ComfyPrompt prompt, ComfyGraph.Node node) {
    String key = prompt.graph.key(node.id(), files::input);
    if (!computedBefore.contains(key)) {
      sockets.tell(prompt, "executing", Json.object("node", node.id(), "display_node", node.id()));
      long steps = steps(node);
      for (long step = 0; step < steps; step++) {
        step(prompt, node);
        tellStep(prompt, node.id(), step + 1, steps);
      }
      computedBefore.add(key);
    }
    finished.add(node.id());
  }

  private void tellStep(ComfyPrompt prompt, String node, long value, long max) {
    Map<String, @Nullable Object> states = Json.object();
    for (String one : finished) {
      states.put(one, state(prompt, one, "finished", 1, 1));
    }
    states.put(node, state(prompt, node, "running", value, max));
    sockets.tell(prompt, "progress_state", Json.object("nodes", states));
    sockets.tell(prompt, "progress", Json.object("value", value, "max", max, "node", node));
  }

  private static Map<String, @Nullable Object> state(
      ComfyPrompt prompt, String node, String state, long value, long max) {
    return Json.object(
        "value",
        value,
        "max",
        max,
        "state",
        state,
        "node_id",
        node,
        "prompt_id",
        prompt.id,
        "display_node_id",
        node,
        "parent_node_id",
        null,
        "real_node_id",
        node);
  }

  /** A sampler takes the steps it is told, saving takes one, the rest is too quick to count. */
  private static long steps(ComfyGraph.Node node) {
    long told = Json.asLong(node.inputs().get("steps"), 0);
    if (node.type().equals("KSamplerAdvanced")) {
      long last = Math.min(told, Json.asLong(node.inputs().get("end_at_step"), told));
      return Math.max(0, last - Json.asLong(node.inputs().get("start_at_step"), 0));
    }
    return ComfyNodes.type(node.type()).orElseThrow().isOutput() ? 1 : told;
  }

  private void step(ComfyPrompt prompt, ComfyGraph.Node node) {
    if (mentions(prompt, "sim:crash")) {
      System.err.println("Segmentation fault (asked for by the prompt)");
      SimServer.exit(139);
    }
    if (mentions(prompt, "sim:hang")) {
      Pause.forEver();
    }
    if (mentions(prompt, "sim:error")) {
      throw failure(prompt, node.id(), "RuntimeError", "a failure was asked for by the prompt");
    }
    Pause.of(stepTime);
    if (queue.interruptWasAsked()) {
      throw new Ended(
          ComfyPrompt.Status.CANCELLED,
          "execution_interrupted",
          Json.object("node_id", node.id(), "node_type", node.type(), "executed", List.of()));
    }
  }

  private static boolean mentions(ComfyPrompt prompt, String word) {
    return prompt.graph.nodes().values().stream()
        .flatMap(node -> node.inputs().values().stream())
        .anyMatch(value -> value instanceof String text && text.contains(word));
  }

  private static Ended failure(ComfyPrompt prompt, String node, String type, String message) {
    ComfyGraph.Node failed = prompt.graph.node(node);
    return new Ended(
        ComfyPrompt.Status.FAILED,
        "execution_error",
        Json.object(
            "node_id",
            node,
            "node_type",
            failed == null ? "" : failed.type(),
            "executed",
            List.of(),
            "exception_message",
            message,
            "exception_type",
            type,
            "traceback",
            List.of(),
            "current_inputs",
            Json.object(),
            "current_outputs",
            List.of()));
  }
}
