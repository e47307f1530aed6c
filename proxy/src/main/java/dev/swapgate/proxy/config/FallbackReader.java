package dev.swapgate.proxy.config;

import dev.swapgate.proxy.fallback.Cover;
import dev.swapgate.proxy.fallback.FallbackSettings;
import dev.swapgate.proxy.fallback.FallbackSettings.When;
import dev.swapgate.proxy.fallback.Provider;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code fallback}: whether chat goes elsewhere while the card is away, when, and where. */
final class FallbackReader {

  private static final String BY_WEIGHT = "by_weight";

  private final ProviderReader providers;

  FallbackReader(ProviderReader providers) {
    this.providers = providers;
  }

  FallbackSettings read(Section section) {
    Set<When> use =
        section.has("use")
            ? whens(section, "use")
            : standard(section, EnumSet.of(When.DURING_SWAP, When.DEGRADED));
    Map<String, Set<When>> profiles = profiles(section.sectionOrEmpty("profiles"));
    boolean byWeight = byWeight(section);
    int tries = section.number("tries", 3, 1, 10);
    int inFlight = section.number("in_flight", 50, 1, 1000);
    List<Provider> all = new ArrayList<>();
    Section named = section.sectionOrEmpty("providers");
    for (String name : named.freeKeys()) {
      named.section(name).flatMap(one -> providers.read(name, one)).ifPresent(all::add);
    }
    section.done();
    return new FallbackSettings(use, profiles, byWeight, tries, inFlight, all);
  }

  /** The key is known although it is absent. */
  private static Set<When> standard(Section section, Set<When> standard) {
    section.texts("use");
    return standard;
  }

  private static Map<String, Set<When>> profiles(Section section) {
    Map<String, Set<When>> profiles = new LinkedHashMap<>();
    for (String name : section.freeKeys()) {
      profiles.put(name, whens(section, name));
    }
    return profiles;
  }

  private static Set<When> whens(Section section, String key) {
    Set<When> whens = EnumSet.noneOf(When.class);
    for (String word : section.texts(key)) {
      Optional<When> when = When.of(word);
      when.ifPresent(whens::add);
      if (when.isEmpty()) {
        section.problem(
            key,
            "\""
                + word
                + "\" is no time for it; write during_swap, degraded or stopped_by_hand, and []"
                + " for never");
      }
    }
    return whens;
  }

  private static boolean byWeight(Section section) {
    String word = section.text("pick").orElse("in_order");
    if (!word.equals("in_order") && !word.equals(BY_WEIGHT)) {
      section.problem("pick", "\"" + word + "\" is no way to pick; write in_order or by_weight");
    }
    return word.equals(BY_WEIGHT);
  }

  /** What a 429 covers, by its word. */
  static Cover limits(Section section, Cover standard) {
    String word = section.text("limits").orElse(standard.word());
    Optional<Cover> cover = Cover.of(word);
    if (cover.isEmpty()) {
      section.problem("limits", "\"" + word + "\" cannot be limited; write key, model or provider");
    }
    return cover.orElse(standard);
  }
}
