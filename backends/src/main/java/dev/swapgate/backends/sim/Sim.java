package dev.swapgate.backends.sim;

import java.util.Arrays;

/** The entry point of the image, which has no shell: the first argument says which simulator. */
public final class Sim {
  private Sim() {}

  public static void main(String[] arguments) {
    String which = arguments.length == 0 ? "" : arguments[0];
    String[] rest =
        arguments.length == 0 ? arguments : Arrays.copyOfRange(arguments, 1, arguments.length);
    switch (which) {
      case "engine" -> SimEngine.main(rest);
      case "comfyui" -> SimComfyUi.main(rest);
      case "music" -> SimMusic.main(rest);
      case "pictures" -> SimPictures.main(rest);
      case "speech" -> SimSpeech.main(rest);
      case "studio" -> SimStudio.main(rest);
      case "infer" -> SimInfer.main(rest);
      case "holder" -> SimHolder.main(rest);
      case "nvidia-smi" -> SimNvidiaSmi.main(rest);
      default -> {
        System.err.println(
            "usage: engine | comfyui | music | pictures | speech | studio | infer | holder"
                + " | nvidia-smi");
        System.exit(2);
      }
    }
  }
}
