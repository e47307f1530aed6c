package dev.swapgate.proxy.config;

import dev.swapgate.proxy.fallback.FallbackSettings;
import dev.swapgate.proxy.fallback.FallbackSettings.When;
import dev.swapgate.proxy.fallback.Provider;
import dev.swapgate.proxy.fallback.ProviderRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Fallback providers written out with all their defaults; secrets show as {@code ***}. */
final class FallbackLines {

  private final List<String> lines = new ArrayList<>();

  private FallbackLines() {}

  static List<String> of(FallbackSettings settings) {
    FallbackLines text = new FallbackLines();
    if (settings.isOn()) {
      text.write(settings);
    }
    return text.lines;
  }

  private void write(FallbackSettings settings) {
    line(0, "fallback", "");
    line(1, "use", words(settings.use()));
    line(1, "profiles", settings.profiles().isEmpty() ? "{}" : "");
    new TreeMap<>(settings.profiles())
        .forEach((name, when) -> line(2, EffectiveConfig.quoted(name), words(when)));
    line(1, "pick", settings.byWeight() ? "by_weight" : "in_order");
    line(1, "tries", String.valueOf(settings.tries()));
    line(1, "in_flight", String.valueOf(settings.inFlight()));
    line(1, "providers", "");
    settings.providers().forEach(this::provider);
  }

  private void provider(Provider provider) {
    line(2, provider.name(), "");
    line(3, "url", EffectiveConfig.quoted(provider.url().toString()));
    line(3, "api", provider.api().name().toLowerCase(Locale.ROOT));
    if (provider.keys().stream().anyMatch(key -> !key.secret().isEmpty())) {
      line(3, "keys", "");
      provider.keys().forEach(key -> line(4, key.name(), EffectiveConfig.HIDDEN));
    }
    line(3, "models", provider.models().isEmpty() ? "{}" : "");
    new TreeMap<>(provider.models())
        .forEach(
            (name, model) -> line(4, EffectiveConfig.quoted(name), EffectiveConfig.quoted(model)));
    line(3, "paths", EffectiveConfig.list(List.copyOf(new TreeSet<>(provider.paths()))));
    line(3, "headers", provider.headers().isEmpty() ? "{}" : "");
    new TreeSet<>(provider.headers().keySet())
        .forEach(name -> line(4, EffectiveConfig.quoted(name), EffectiveConfig.HIDDEN));
    line(3, "weight", String.valueOf(provider.weight()));
    line(3, "timeouts", "");
    line(4, "connect", provider.timeouts().connect());
    line(4, "answer", provider.timeouts().answer());
    line(4, "idle", provider.timeouts().idle());
    rules(provider.rules());
  }

  private void rules(ProviderRules rules) {
    line(3, "limits", rules.limits().word());
    line(3, "cooldowns", "");
    line(4, "rate_limited", rules.rateLimited());
    line(4, "unauthorized", rules.unauthorized());
    line(4, "unpaid", rules.unpaid());
    line(4, "unavailable", rules.unavailable());
    line(4, "refused", rules.refused());
    line(4, "timed_out", rules.timedOut());
    line(4, "failed", rules.failed());
    line(4, "longest_fault", rules.longestFault());
    line(4, "longest", rules.longest());
  }

  private static String words(Set<When> when) {
    return "[" + String.join(", ", new TreeSet<>(when).stream().map(When::word).toList()) + "]";
  }

  private void line(int depth, String key, Duration value) {
    line(depth, key, Durations.text(value));
  }

  private void line(int depth, String key, String value) {
    lines.add("  ".repeat(depth) + key + ":" + (value.isEmpty() ? "" : " " + value));
  }
}
