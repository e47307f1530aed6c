package dev.swapgate.proxy.config;

import dev.swapgate.proxy.fallback.Provider;
import dev.swapgate.proxy.fallback.ProviderRules;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads one server that may answer chat while the card is away. */
final class ProviderReader {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration DAY = Duration.ofDays(1);

  /** They belong to the connection. */
  private static final Set<String> OWN_HEADERS =
      Set.of("host", "connection", "content-length", "expect", "upgrade", "transfer-encoding");

  private final Secrets secrets;
  private final List<String> ourPlaces;

  /**
   * @param ourPlaces where swapgate itself listens: a request must not go round in circles
   */
  ProviderReader(Secrets secrets, List<String> ourPlaces) {
    this.secrets = secrets;
    this.ourPlaces = List.copyOf(ourPlaces);
  }

  /** Empty when its address is unfit, which is told. */
  Optional<Provider> read(String name, Section section) {
    if (!name.matches(BackendsReader.ID)) {
      section.problem(section.line(), section.path(), "must match " + BackendsReader.ID);
    }
    Optional<URI> url = url(section);
    Provider.Api api = api(section);
    Map<String, String> models = section.textMap("models");
    List<Provider.Key> keys = keys(section);
    keys.stream()
        .filter(key -> models.containsValue(key.name()))
        .forEach(key -> section.problem("keys", key.name() + " is the name of a model too"));
    Set<String> paths = paths(section, api);
    Map<String, String> headers = headers(section.sectionOrEmpty("headers"));
    int weight = section.number("weight", 1, 1, 1000);
    Provider.Timeouts timeouts = timeouts(section.sectionOrEmpty("timeouts"));
    ProviderRules rules = rules(section, section.sectionOrEmpty("cooldowns"));
    section.done();
    return url.map(
        to -> new Provider(name, to, api, keys, models, paths, headers, weight, timeouts, rules));
  }

  private Optional<URI> url(Section section) {
    String text = section.required("url", "", "its base address, https://host/v1");
    Optional<URI> url = text.isEmpty() ? Optional.empty() : Addresses.url(section, "url", text);
    if (url.isPresent() && ourPlaces.contains(Addresses.place(url.get()))) {
      section.problem("url", "is swapgate's own address; name another server");
      return Optional.empty();
    }
    return url;
  }

  private static Provider.Api api(Section section) {
    String word = section.text("api").orElse("openai");
    for (Provider.Api api : Provider.Api.values()) {
      if (api.name().toLowerCase(Locale.ROOT).equals(word)) {
        return api;
      }
    }
    section.problem("api", "\"" + word + "\" is no API; write openai or anthropic");
    return Provider.Api.OPENAI;
  }

  /** {@code api_key} for one, {@code keys} for several; an open server has none. */
  private List<Provider.Key> keys(Section section) {
    List<Provider.Key> keys = new ArrayList<>();
    Section all = section.sectionOrEmpty("keys");
    for (String name : all.freeKeys()) {
      if (!name.matches("[A-Za-z0-9_-]{1,40}")) {
        all.problem(name, "is no name for a key; use letters, digits, - and _");
      }
      secrets.named(all, name).ifPresent(secret -> keys.add(new Provider.Key(name, secret)));
    }
    if (section.has("keys") && (section.has("api_key") || section.has("api_key_file"))) {
      section.problem("keys", "and api_key are both given; keep one");
    }
    String one = secrets.apiKey(section);
    if (keys.isEmpty()) {
      keys.add(new Provider.Key("key", one));
    }
    return keys;
  }

  private static Set<String> paths(Section section, Provider.Api api) {
    Set<String> paths = new LinkedHashSet<>(section.texts("paths"));
    for (String path : paths) {
      if (!path.matches("/v1/[A-Za-z0-9_/-]+")) {
        section.problem("paths", "\"" + path + "\" is no path below /v1/");
      }
    }
    return paths.isEmpty() ? api.paths() : paths;
  }

  private Map<String, String> headers(Section section) {
    Map<String, String> headers = ReadinessReader.headers(section, secrets);
    for (String name : headers.keySet()) {
      if (OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
        section.problem(name, "is set by swapgate itself");
      }
    }
    return headers;
  }

  private static Provider.Timeouts timeouts(Section section) {
    Provider.Timeouts standard = Provider.Timeouts.standard();
    Duration hour = Duration.ofHours(1);
    Provider.Timeouts timeouts =
        new Provider.Timeouts(
            section.duration("connect", standard.connect(), SECOND, Duration.ofMinutes(1)),
            section.duration("answer", standard.answer(), SECOND, hour),
            section.duration("idle", standard.idle(), SECOND, hour));
    section.done();
    return timeouts;
  }

  private static ProviderRules rules(Section section, Section cooldowns) {
    ProviderRules standard = ProviderRules.standard();
    ProviderRules rules =
        new ProviderRules(
            FallbackReader.limits(section, standard.limits()),
            span(cooldowns, "rate_limited", standard.rateLimited()),
            span(cooldowns, "unauthorized", standard.unauthorized()),
            span(cooldowns, "unpaid", standard.unpaid()),
            span(cooldowns, "unavailable", standard.unavailable()),
            span(cooldowns, "refused", standard.refused()),
            span(cooldowns, "timed_out", standard.timedOut()),
            span(cooldowns, "failed", standard.failed()),
            span(cooldowns, "longest_fault", standard.longestFault()),
            span(cooldowns, "longest", standard.longest()));
    cooldowns.done();
    return rules;
  }

  private static Duration span(Section section, String key, Duration standard) {
    return section.duration(key, standard, SECOND, DAY);
  }
}
