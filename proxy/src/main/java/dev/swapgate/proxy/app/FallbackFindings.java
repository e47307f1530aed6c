package dev.swapgate.proxy.app;

import dev.swapgate.proxy.admin.Finding;
import dev.swapgate.proxy.admin.Finding.Severity;
import dev.swapgate.proxy.chat.Profiles;
import dev.swapgate.proxy.config.SwapgateConfig;
import dev.swapgate.proxy.fallback.FallbackSettings;
import dev.swapgate.proxy.fallback.FallbackSettings.When;
import dev.swapgate.proxy.fallback.Provider;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Says plainly that prompts leave the machine, and to where. */
final class FallbackFindings {

  private FallbackFindings() {}

  /**
   * A misspelt profile that was to say "never" would send somebody's prompts away.
   *
   * @return the same
   * @throws StartException when a profile is named that nobody knows
   */
  static SwapgateConfig withKnownProfiles(SwapgateConfig config) {
    Set<String> unknown = new TreeSet<>(config.fallback().profiles().keySet());
    unknown.removeAll(Profiles.names().keySet());
    if (!unknown.isEmpty()) {
      throw new StartException(
          StartException.BAD_CONFIGURATION,
          "fallback.profiles in swapgate.yaml names "
              + String.join(", ", unknown)
              + ", which is neither a profile nor a client; known are "
              + String.join(", ", Profiles.names().keySet()));
    }
    return config;
  }

  static List<Finding> of(FallbackSettings settings) {
    List<Finding> found = new ArrayList<>();
    Set<String> hosts = new TreeSet<>();
    for (Provider provider : settings.providers()) {
      hosts.add(provider.host());
      if ("http".equals(provider.url().getScheme()) && !isHere(provider.url().getHost())) {
        found.add(
            new Finding(
                "fallback_unencrypted",
                Severity.WARNING,
                "",
                "fallback provider " + provider.name() + " is asked over plain http",
                "whoever is between here and "
                    + provider.host()
                    + " can read its key, the prompts and the answers",
                "write https:// in fallback.providers." + provider.name() + ".url"));
      }
    }
    if (settings.isOn() && leaves(settings)) {
      found.add(
          new Finding(
              "prompts_leave",
              Severity.NOTE,
              "",
              "while the engine is away, chat prompts leave this machine to "
                  + String.join(", ", hosts),
              "whoever runs these servers reads them and may charge for them; used "
                  + words(settings.use()),
              ""));
    }
    return found;
  }

  private static boolean leaves(FallbackSettings settings) {
    return !settings.use().isEmpty()
        || settings.profiles().values().stream().anyMatch(when -> !when.isEmpty());
  }

  private static boolean isHere(String host) {
    return host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
  }

  private static String words(Set<When> use) {
    return use.isEmpty()
        ? "by some profiles only"
        : String.join(", ", new TreeSet<>(use).stream().map(When::word).toList());
  }
}
