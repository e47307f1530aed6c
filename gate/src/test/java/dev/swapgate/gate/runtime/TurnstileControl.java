package dev.swapgate.gate.runtime;

import dev.swapgate.gate.core.Backend;

/** Opens and shuts a turnstile as the gate's thread would, for the siblings' tests. */
public final class TurnstileControl {

  private TurnstileControl() {}

  public static void open(Turnstile turnstile, String engine) {
    turnstile.open(new Backend.Id(engine));
  }

  public static void shut(Turnstile turnstile) {
    turnstile.shut();
  }
}
