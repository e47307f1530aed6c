package dev.swapgate.proxy.chat;

import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.core.Outlook;
import java.time.Duration;

/** What a client meets while the turnstile is shut: the production rules, without a network. */
public final class Door {
  private final Profile profile;
  private final Duration tailHold;

  /**
   * @param path as the client sends it, with its {@code /as/} prefix
   */
  public Door(String path, Duration tailHold) {
    this.profile = Profiles.choose(path).orElseThrow().profile();
    this.tailHold = tailHold;
  }

  public String profile() {
    return profile.name();
  }

  public Duration hold(Outlook outlook, Now now) {
    return profile.hold(outlook.left(now), tailHold);
  }

  public int status() {
    return profile.status();
  }

  public int retryAfter(Outlook outlook, Now now) {
    return profile.retryAfter(outlook.retryAfterSeconds(now));
  }
}
