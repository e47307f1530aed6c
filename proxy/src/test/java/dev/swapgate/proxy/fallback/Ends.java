package dev.swapgate.proxy.fallback;

import dev.swapgate.gate.core.Now;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the tests of this room say over and over. */
final class Ends {
  static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");

  private Ends() {}

  static Now at(long seconds) {
    return new Now(Duration.ofSeconds(seconds), NOON.plusSeconds(seconds));
  }

  static ProviderEnd status(int status) {
    return answered(status, "", "", "");
  }

  static ProviderEnd answered(int status, String body, String retryAfter, String retryAfterMs) {
    return new ProviderEnd.Answered(
        status,
        ErrorHint.of(body),
        Optional.of(retryAfter).filter(text -> !text.isEmpty()),
        Optional.of(retryAfterMs).filter(text -> !text.isEmpty()),
        Optional.empty());
  }

  static ProviderEnd failed(ProviderEnd.How how) {
    return new ProviderEnd.Failed(how);
  }

  /** A provider of all models with these keys. */
  static Provider provider(String name, ProviderRules rules, String... keys) {
    return provider(name, rules, Map.of(), keys);
  }

  static Provider provider(
      String name, ProviderRules rules, Map<String, String> models, String... keys) {
    return new Provider(
        name,
        URI.create("https://" + name + ".example/v1"),
        Provider.Api.OPENAI,
        Arrays.stream(keys).map(key -> new Provider.Key(key, "secret-of-" + key)).toList(),
        models,
        Provider.Api.OPENAI.paths(),
        Map.of(),
        1,
        Provider.Timeouts.standard(),
        rules);
  }

  static ProviderRules limiting(Cover cover) {
    ProviderRules all = ProviderRules.standard();
    return new ProviderRules(
        cover,
        all.rateLimited(),
        all.unauthorized(),
        all.unpaid(),
        all.unavailable(),
        all.refused(),
        all.timedOut(),
        all.failed(),
        all.longestFault(),
        all.longest());
  }

  /** Without chance. */
  static ProviderPool pool(Provider... providers) {
    return new ProviderPool(List.of(providers), false, () -> 0);
  }
}
