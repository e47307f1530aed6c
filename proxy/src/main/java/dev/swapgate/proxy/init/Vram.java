package dev.swapgate.proxy.init;

import dev.swapgate.backends.docker.ContainerDetails;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** How much of the card an engine asks for at its start, where that can be told from outside. */
record Vram(String size, String reason) {

  /** By documentation (vLLM) and source (Aphrodite, its v1 config), 2026-11. */
  private static final Map<String, Double> SHARE = Map.of("vllm", 0.9, "aphrodite", 0.92);

  static Optional<Vram> of(KnownServer known, ContainerDetails container, OptionalLong cardMib) {
    Double standard = SHARE.get(known.word());
    if (standard == null || cardMib.isEmpty()) {
      return Optional.empty();
    }
    Optional<Double> given =
        Options.text(container, "--gpu-memory-utilization")
            .filter(text -> text.matches("0?\\.\\d{1,6}|1(\\.0*)?"))
            .map(Double::valueOf);
    double share = given.orElse(standard);
    long mib = (long) Math.ceil(share * cardMib.getAsLong());
    return Optional.of(
        new Vram(
            mib + "MiB",
            "guess: its %s%s of this card's %d MiB"
                .formatted(
                    given.isPresent() ? "--gpu-memory-utilization " : "usual share ",
                    share,
                    cardMib.getAsLong())));
  }
}
