package dev.swapgate.proxy.e2e;

/** The backends of the pretend box; the name is the one in the configuration. */
enum Place {
  VLLM("engine", 8000),
  NINFER("engine", 8000),
  COMFYUI("comfyui", 8188),
  MUSIC("music", 8001),
  PICTURES("pictures", 7860),
  SPEECH("speech", 8880),
  STUDIO("studio", 8000),

  /** No server: a container that is itself the job. */
  YUE("infer", 1);

  final String simulator;

  /** The port inside the container. */
  final int port;

  Place(String simulator, int port) {
    this.simulator = simulator;
    this.port = port;
  }

  @Override
  public String toString() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }
}
