package dev.swapgate.proxy.fallback;

import dev.swapgate.gate.core.Now;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The providers on the wire of {@code GET status}: names and hosts, never a secret. */
record FallbackStatus(List<Cooldown> cooling, Map<FallbackCounters.Call, Long> calls, Now now) {

  List<Map<String, Object>> of(List<Provider> providers) {
    return providers.stream().map(this::provider).toList();
  }

  private Map<String, Object> provider(Provider provider) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("name", provider.name());
    shown.put("url", provider.host());
    Optional<Cooldown> whole = find(key -> key.equals(new CooldownKey.OfProvider(provider.name())));
    List<Map<String, Object>> keys =
        provider.keys().stream().map(key -> key(provider, key)).toList();
    List<Map<String, Object>> models =
        cooling.stream()
            .filter(
                one ->
                    one.key() instanceof CooldownKey.OfModel model
                        && model.provider().equals(provider.name()))
            .map(this::model)
            .toList();
    boolean allKeys = keys.stream().allMatch(key -> key.containsKey("cooldown"));
    shown.put("state", whole.isPresent() || allKeys ? "cooling" : "ready");
    whole.ifPresent(one -> put(shown, one));
    shown.put("keys", keys);
    shown.put("models", models);
    shown.put("calls", calls(provider));
    return shown;
  }

  private Map<String, Object> key(Provider provider, Provider.Key key) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("name", key.name());
    shown.put("key", key.masked());
    find(one -> one.equals(new CooldownKey.OfKey(provider.name(), key.name())))
        .ifPresent(one -> put(shown, one));
    return shown;
  }

  private Map<String, Object> model(Cooldown cooldown) {
    Map<String, Object> shown = new LinkedHashMap<>();
    if (cooldown.key() instanceof CooldownKey.OfModel of) {
      shown.put("name", of.model());
    }
    put(shown, cooldown);
    return shown;
  }

  /** A model that is gone has no end. */
  private void put(Map<String, Object> shown, Cooldown cooldown) {
    shown.put("cooldown", cooldown.key().text());
    shown.put("kind", cooldown.kind().word());
    shown.put("why", cooldown.why());
    if (!cooldown.isForEver()) {
      long left = Math.ceilDiv(cooldown.left(now.steady()).toMillis(), 1000L);
      shown.put("left_seconds", left);
      shown.put("until", now.wall().plusSeconds(left).toString());
    }
  }

  private Map<String, Long> calls(Provider provider) {
    Map<String, Long> shown = new LinkedHashMap<>();
    calls.forEach(
        (call, count) -> {
          if (call.provider().equals(provider.name())) {
            shown.put(call.end(), count);
          }
        });
    return shown;
  }

  private Optional<Cooldown> find(Predicate<CooldownKey> which) {
    return cooling.stream().filter(one -> which.test(one.key())).findFirst();
  }
}
