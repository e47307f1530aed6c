package dev.swapgate.proxy.check;

import dev.swapgate.gate.core.CardReading;
import dev.swapgate.gate.core.CardReading.Holder;
import dev.swapgate.proxy.admin.Finding;
import dev.swapgate.proxy.admin.Finding.Severity;
import java.util.List;
import java.util.Set;

/** Looks at the card: can it be read, and who else is on it? */
final class CardCheck {

  private CardCheck() {}

  /**
   * @param ours ids of the containers of our backends
   */
  static List<Finding> findings(CardReading reading, Set<String> ours) {
    return switch (reading) {
      case CardReading.NoTool none ->
          List.of(
              new Finding(
                  "no_gpu_tool",
                  Severity.NOTE,
                  "",
                  "the card's memory cannot be read: " + none.reason(),
                  "that a container is down is then the only proof that the card is free",
                  "make nvidia-smi known to swapgate (in a container: the GPU with the capability"
                      + " utility)"));
      case CardReading.Failed failed ->
          List.of(
              new Finding(
                  "card_unreadable",
                  Severity.WARNING,
                  "",
                  "the card's memory could not be read: " + failed.reason(),
                  "a reading that fails is never taken for free: no media work begins",
                  "nvidia-smi"));
      case CardReading.Sample sample ->
          sample.holders().stream()
              .filter(holder -> !ours.contains(holder.containerId()))
              .map(CardCheck::stranger)
              .toList();
    };
  }

  private static Finding stranger(Holder holder) {
    boolean contained = !holder.containerId().isEmpty();
    String container =
        holder.containerId().substring(0, Math.min(12, holder.containerId().length()));
    return new Finding(
        "stranger_on_card",
        Severity.WARNING,
        "",
        "process "
            + holder.pid()
            + (holder.name().isEmpty() ? "" : " (" + holder.name() + ")")
            + (contained ? " of container " + container : "")
            + " holds "
            + holder.mib()
            + " MiB of the card",
        "swapgate never touches it; what it holds is missing to every backend",
        contained ? "docker stop " + container : "ps -fp " + holder.pid());
  }
}
