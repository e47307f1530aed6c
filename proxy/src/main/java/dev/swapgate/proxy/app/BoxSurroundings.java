package dev.swapgate.proxy.app;

import dev.swapgate.backends.catalog.Workshop;
import dev.swapgate.backends.gpu.CardFacts;
import dev.swapgate.backends.gpu.OshiHost;
import dev.swapgate.proxy.admin.Surroundings;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** What status tells of the box beyond the gate. */
final class BoxSurroundings implements Surroundings {
  private final Workshop workshop;
  private final IntSupplier held;
  private final Supplier<List<Map<String, Object>>> fallback;
  private volatile String cardName = "";

  BoxSurroundings(
      Workshop workshop, IntSupplier held, Supplier<List<Map<String, Object>>> fallback) {
    this.workshop = workshop;
    this.held = held;
    this.fallback = fallback;
  }

  /** Asks the card's name, once: the tool may take seconds. */
  void learnCardName() {
    cardName =
        workshop
            .card()
            .map(CardFacts::name)
            .or(() -> workshop.host().cards().stream().map(OshiHost.Card::name).findFirst())
            .orElse("");
  }

  @Override
  public String cardName() {
    return cardName;
  }

  @Override
  public OptionalLong memoryFreeMib() {
    return workshop.host().memory().stream().mapToLong(OshiHost.Memory::freeMib).findFirst();
  }

  @Override
  public int held() {
    return held.getAsInt();
  }

  @Override
  public List<Map<String, Object>> fallback() {
    return fallback.get();
  }

  @Override
  public String version() {
    return Objects.requireNonNullElse(
        BoxSurroundings.class.getPackage().getImplementationVersion(), "unpacked");
  }
}
