package dev.swapgate.proxy.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

/** The configuration of the pretend box: that of a real one, with short times. */
record BoxYaml(
    PretendBox box, Map<Place, Integer> ports, Path folder, int chatPort, int adminPort) {
  /** What one job of either media backend is said to take: far above the least Retry-After. */
  static final int GENERATION_SECONDS = 100;

  /** The whole readiness budget of vllm. */
  static final int VLLM_BUDGET_SECONDS = 20;

  /** The last of what is said of ComfyUI, and what follows: where more can be put. */
  static final String END_OF_COMFYUI = "    generation: " + GENERATION_SECONDS + "s\n  music:";

  /** A backend by the example that is shipped for its kind. */
  private String described(Place place, String example) {
    try {
      String where =
          place == Place.YUE ? "" : "    url: http://127.0.0.1:%d\n".formatted(ports.get(place));
      return "  %s:\n    container: %s\n".formatted(place, box.container(place))
          + where
          + Example.named(example).mediaKeys().indent(4);
    } catch (IOException e) {
      throw new UncheckedIOException("the example is not there", e);
    }
  }

  String text(Path tool, URI dockerHost) {
    return """
    listen: 127.0.0.1:%d
    admin: {listen: "127.0.0.1:%d"}
    state_dir: %s
    results_dir: %s
    docker: {host: "%s"}
    card: {index: 0, tool: "%s"}
    selected: vllm
    engines:
      vllm:
        container: %s
        url: http://127.0.0.1:%d
        readiness: {path: /health, budget: %ds, interval: 100ms}
        drain: 30s
        stop_grace_period: 10s
      ninfer:
        container: %s
        url: http://127.0.0.1:%d
        readiness: {path: /up, budget: 120s, interval: 100ms, timeout: 1s}
        drain: 30s
        stop_grace_period: 10s
    media:
      comfyui:
        type: comfyui
        container: %s
        url: http://127.0.0.1:%d
        readiness: {path: /system_stats, budget: 60s, interval: 100ms}
        generation: %ds
      music:
        type: ace_step
        container: %s
        url: http://127.0.0.1:%d
        readiness: {path: /health, budget: 60s, interval: 100ms}
        generation: %ds
    %s\
    policy: {min_chat: 1s}
    """
        .formatted(
            chatPort,
            adminPort,
            folder.resolve("state"),
            folder.resolve("results"),
            dockerHost,
            tool,
            box.container(Place.VLLM),
            ports.get(Place.VLLM),
            VLLM_BUDGET_SECONDS,
            box.container(Place.NINFER),
            ports.get(Place.NINFER),
            box.container(Place.COMFYUI),
            ports.get(Place.COMFYUI),
            GENERATION_SECONDS,
            box.container(Place.MUSIC),
            ports.get(Place.MUSIC),
            GENERATION_SECONDS,
            described(Place.SPEECH, "kokoro-tts")
                + described(Place.STUDIO, "heartmula-studio")
                + described(Place.YUE, "yue").replace("/srv/yue", box.work().toString()));
  }
}
