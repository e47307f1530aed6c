package dev.swapgate.backends.sim;

import java.time.Duration;

/** The pretend box is allowed to sleep; here is where it does. */
final class Pause {

  private Pause() {}

  static void of(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static void forEver() {
    while (!Thread.currentThread().isInterrupted()) {
      of(Duration.ofHours(1));
    }
  }
}
