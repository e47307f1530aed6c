package dev.swapgate.backends.sim;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The node types the pretend ComfyUI knows, with their inputs and outputs as in the real one. */
final class ComfyNodes {

  /** What an output node leaves behind. */
  enum Saves {
    NOTHING,
    IMAGE,
    PREVIEW,
    AUDIO
  }

  /**
   * One input.
   *
   * @param type {@code INT FLOAT STRING COMBO CKPT LORA UPLOAD} for a value, else the type of a
   *     link
   * @param min lowest number allowed; {@code max < min} means any
   */
  record Input(String name, String type, boolean required, long min, long max) {
    boolean isLink() {
      return !VALUE_TYPES.contains(type);
    }

    boolean allows(Number number) {
      if (max < min) {
        return true;
      }
      return number instanceof BigInteger big
          ? big.signum() < 0 && min == Long.MIN_VALUE
          : number.longValue() >= min && number.longValue() <= max;
    }
  }

  /** One node type. */
  record Type(String name, List<Input> inputs, List<String> outputs, Saves saves) {
    boolean isOutput() {
      return saves != Saves.NOTHING;
    }
  }

  private static final List<String> VALUE_TYPES =
      List.of("INT", "FLOAT", "STRING", "COMBO", "CKPT", "LORA", "UPLOAD");

  private static final String SAMPLING =
      " cfg:FLOAT sampler_name:COMBO scheduler:COMBO positive:CONDITIONING negative:CONDITIONING"
          + " latent_image:LATENT";

  /** Name, inputs, outputs; {@code ?} is optional, two numbers are the range allowed. */
  private static final Map<String, Type> TYPES =
      table(
          "CheckpointLoaderSimple | ckpt_name:CKPT | MODEL CLIP VAE",
          "LoraLoader | model:MODEL clip:CLIP lora_name:LORA strength_model:FLOAT"
              + " strength_clip:FLOAT | MODEL CLIP",
          "VAELoader | vae_name:COMBO | VAE",
          "CLIPTextEncode | text:STRING clip:CLIP | CONDITIONING",
          "ConditioningZeroOut | conditioning:CONDITIONING | CONDITIONING",
          "KSampler | model:MODEL seed:INT steps:INT:1:10000 denoise:FLOAT"
              + SAMPLING
              + " | LATENT",
          "KSamplerAdvanced | model:MODEL add_noise:COMBO noise_seed:INT steps:INT:1:10000"
              + SAMPLING
              + " start_at_step:INT:0:10000 end_at_step:INT:0:10000"
              + " return_with_leftover_noise:COMBO | LATENT",
          "EmptyLatentImage | width:INT:16:16384 height:INT:16:16384 batch_size:INT:1:4096"
              + " | LATENT",
          "VAEDecode | samples:LATENT vae:VAE | IMAGE",
          "VAEEncode | pixels:IMAGE vae:VAE | LATENT",
          "EmptyImage | width:INT:1:16384 height:INT:1:16384 batch_size:INT:1:4096 ?color:INT"
              + " | IMAGE",
          "ImageInvert | image:IMAGE | IMAGE",
          "ImageScale | image:IMAGE upscale_method:COMBO width:INT:0:16384 height:INT:0:16384"
              + " crop:COMBO | IMAGE",
          "ImageScaleBy | image:IMAGE upscale_method:COMBO scale_by:FLOAT | IMAGE",
          "LoadImage | image:UPLOAD | IMAGE MASK",
          "SolidMask | value:FLOAT width:INT:1:16384 height:INT:1:16384 | MASK",
          "MaskToImage | mask:MASK | IMAGE",
          "EmptyAudio | duration:FLOAT ?sample_rate:INT ?channels:INT | AUDIO",
          "SaveImage | images:IMAGE filename_prefix:STRING | !IMAGE",
          "PreviewImage | images:IMAGE | !PREVIEW",
          "SaveAudio | audio:AUDIO filename_prefix:STRING | !AUDIO");

  private ComfyNodes() {}

  static Optional<Type> type(String name) {
    return Optional.ofNullable(TYPES.get(name));
  }

  static Iterable<Type> all() {
    return TYPES.values();
  }

  private static Map<String, Type> table(String... lines) {
    Map<String, Type> types = new LinkedHashMap<>();
    for (String line : lines) {
      String[] cells = line.split("\\|");
      String name = cells[0].strip();
      String outputs = cells[2].strip();
      boolean saves = outputs.startsWith("!");
      types.put(
          name,
          new Type(
              name,
              inputs(cells[1].strip()),
              saves ? List.of() : List.of(outputs.split(" ")),
              saves ? Saves.valueOf(outputs.substring(1)) : Saves.NOTHING));
    }
    return types;
  }

  private static List<Input> inputs(String cell) {
    List<Input> inputs = new ArrayList<>();
    for (String word : cell.split(" ")) {
      String[] parts = word.split(":");
      boolean optional = parts[0].startsWith("?");
      inputs.add(
          new Input(
              optional ? parts[0].substring(1) : parts[0],
              parts[1],
              !optional,
              parts.length > 2 ? Long.parseLong(parts[2]) : 0,
              parts.length > 3 ? Long.parseLong(parts[3]) : -1));
    }
    return inputs;
  }
}
