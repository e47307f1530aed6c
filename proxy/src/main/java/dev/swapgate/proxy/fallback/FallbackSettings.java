package dev.swapgate.proxy.fallback;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Whether and where chat goes elsewhere. Off unless it is configured: it costs money, and prompts
 * leave the machine.
 *
 * @param use when, unless a profile says otherwise
 * @param profiles for clients that come below {@code /as/<name>}: when; an empty set is never
 * @param byWeight members are picked by chance and weight, else in the order of the file
 * @param tries calls to providers for one request, at most
 * @param inFlight requests that may be with providers at one time
 */
public record FallbackSettings(
    Set<When> use,
    Map<String, Set<When>> profiles,
    boolean byWeight,
    int tries,
    int inFlight,
    List<Provider> providers) {

  public FallbackSettings {
    use = Set.copyOf(use);
    profiles = Map.copyOf(profiles);
    providers = List.copyOf(providers);
  }

  /** Nothing goes elsewhere. */
  public static FallbackSettings off() {
    return new FallbackSettings(EnumSet.noneOf(When.class), Map.of(), false, 1, 1, List.of());
  }

  public boolean isOn() {
    return !providers.isEmpty();
  }

  /** Why the turnstile is shut. */
  public enum When {
    /** Chat comes back by itself: a media job, a loading engine. */
    DURING_SWAP,
    /** No engine can be started. */
    DEGRADED,
    /** The owner of the box stopped the engine. */
    STOPPED_BY_HAND;

    /** As in the configuration: {@code during_swap}. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** By its word; empty when there is none. */
    public static Optional<When> of(String word) {
      return Arrays.stream(values()).filter(one -> one.word().equals(word)).findFirst();
    }
  }

  boolean allows(String profile, When when) {
    return profiles.getOrDefault(profile, use).contains(when);
  }
}
