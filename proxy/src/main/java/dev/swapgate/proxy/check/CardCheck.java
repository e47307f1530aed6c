package dev.swapgate.proxy.check;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.CardReading;
import dev.swapgate.gate.core.CardReading.Holder;
import dev.swapgate.proxy.admin.Finding;
import dev.swapgate.proxy.admin.Finding.Severity;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Looks at the card: can it be read, and who else is on it? */
final class CardCheck {

  private CardCheck() {}

  /**
   * @param ours ids of the containers of our backends
   */
  static List<Finding> findings(CardReading reading, Set<String> ours, List<Backend> backends) {
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
          Stream.concat(
                  sample.holders().stream()
                      .filter(holder -> !ours.contains(holder.containerId()))
                      .map(CardCheck::stranger),
                  backends.stream()
                      .filter(one -> one.budgets().vramMib().orElse(0) > sample.totalMib())
                      .map(one -> tooMuch(one, sample.totalMib())))
              .toList();
    };
  }

  private static Finding tooMuch(Backend backend, long totalMib) {
    return new Finding(
        "vram_too_large",
        Severity.PROBLEM,
        backend.id().value(),
        "vram of "
            + backend.id()
            + " is "
            + backend.budgets().vramMib().orElse(0)
            + " MiB, and the whole card has "
            + totalMib
            + " MiB",
        "so much is never free, so it would never be started",
        "set vram of "
            + backend.id()
            + " to less, or leave it out: the empty card is then learned");
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
