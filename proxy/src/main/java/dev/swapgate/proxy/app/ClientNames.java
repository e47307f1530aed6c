package dev.swapgate.proxy.app;

import dev.swapgate.proxy.chat.Profiles;
import java.util.Map;

/** The names under which chat clients may come, for those who print them. */
public final class ClientNames {

  private ClientNames() {}

  /** Every name that may follow {@code /as/}, and the profile it stands for, in a fixed order. */
  public static Map<String, String> all() {
    return Profiles.names();
  }
}
