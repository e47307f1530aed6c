package dev.swapgate.proxy.fallback;

import dev.swapgate.gate.core.Now;
import dev.swapgate.proxy.fallback.Verdict.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleSupplier;

/**
 * The members and what sets them aside. A limit is kept even for the only one; a fault is kept but
 * never skips the only one that could answer what is asked, or a pool of one would become a
 * blackout. Thread-safe.
 */
final class ProviderPool {

  /** Chance lengthens a cooldown by up to a tenth; it never shortens what a provider asked for. */
  private static final double JITTER = 0.1;

  /** Names of models come from clients: they must not fill the memory. */
  private static final int MOST_COOLDOWNS = 1000;

  private final List<Provider> providers;
  private final boolean byWeight;
  private final DoubleSupplier chance;
  private final Map<CooldownKey, Cooldown> cooldowns = new HashMap<>();
  private final Map<String, Row> rows = new HashMap<>();

  /** Failures of a provider without a success between them. */
  private record Row(int failures, Duration last) {}

  /** One way to answer what is asked. */
  private record Way(Choice choice, Duration limited, Duration faulty) {
    boolean isFree() {
      return limited.isZero() && faulty.isZero();
    }

    Duration left() {
      return limited.compareTo(faulty) > 0 ? limited : faulty;
    }
  }

  /**
   * @param chance from 0 to below 1, for weights and for jitter
   */
  ProviderPool(List<Provider> providers, boolean byWeight, DoubleSupplier chance) {
    this.providers = List.copyOf(providers);
    this.byWeight = byWeight;
    this.chance = chance;
  }

  /**
   * The member to ask now.
   *
   * @param asked the client's name of the model; empty when it names none
   * @param tried what this request has met with already
   */
  synchronized Selection choose(
      String path, Optional<String> asked, Set<CooldownKey> tried, Now now) {
    List<Way> ways = ways(path, asked, now.steady());
    if (ways.isEmpty()) {
      return new Selection.Nobody();
    }
    List<Way> left = ways.stream().filter(way -> !isTried(way.choice(), tried)).toList();
    List<Way> free = left.stream().filter(Way::isFree).toList();
    if (!free.isEmpty()) {
      return new Selection.Chosen(pick(free));
    }
    List<Way> unlimited = ways.stream().filter(way -> way.limited().isZero()).toList();
    boolean sole =
        unlimited.stream().map(way -> way.choice().provider().name()).distinct().count() == 1;
    Optional<Way> only = unlimited.stream().filter(left::contains).findFirst();
    if (sole && only.isPresent()) {
      return new Selection.Chosen(only.get().choice());
    }
    if (sole) {
      // It was asked and failed; the next request may ask it again at once.
      return new Selection.Nobody();
    }
    // The first whose limit is over will be the only one then, whatever its faults.
    return ways.stream()
        .map(unlimited.isEmpty() ? Way::limited : Way::left)
        .filter(Duration::isPositive)
        .min(Comparator.naturalOrder())
        .<Selection>map(Selection.Cooling::new)
        .orElseGet(Selection.Nobody::new);
  }

  private static boolean isTried(Choice choice, Set<CooldownKey> tried) {
    return tried.contains(choice.covered(Cover.PROVIDER))
        || tried.contains(choice.covered(Cover.MODEL))
        || tried.contains(choice.covered(Cover.KEY));
  }

  private List<Way> ways(String path, Optional<String> asked, Duration now) {
    List<Way> ways = new ArrayList<>();
    for (Provider provider : providers) {
      Optional<String> model = asked.flatMap(provider::model);
      boolean serves =
          provider.paths().contains(path)
              && (asked.isEmpty() ? provider.models().isEmpty() : model.isPresent());
      if (!serves) {
        continue;
      }
      for (Provider.Key key : provider.keys()) {
        Choice choice = new Choice(provider, key, model);
        if (!isGone(choice, now)) {
          ways.add(new Way(choice, left(choice, Kind.LIMIT, now), left(choice, Kind.FAULT, now)));
        }
      }
    }
    return ways;
  }

  private boolean isGone(Choice choice, Duration now) {
    return !left(choice, Kind.GONE, now).isZero();
  }

  private Duration left(Choice choice, Kind kind, Duration now) {
    Duration most = Duration.ZERO;
    for (Cover cover : Cover.values()) {
      Cooldown cooldown = cooldowns.get(choice.covered(cover));
      if (cooldown != null && cooldown.kind() == kind) {
        Duration left = cooldown.left(now);
        most = left.compareTo(most) > 0 ? left : most;
      }
    }
    return most;
  }

  private Choice pick(List<Way> free) {
    Choice first = free.get(0).choice();
    if (!byWeight) {
      return first;
    }
    List<Provider> members = free.stream().map(way -> way.choice().provider()).distinct().toList();
    double at = chance.getAsDouble() * members.stream().mapToInt(Provider::weight).sum();
    for (Provider member : members) {
      at -= member.weight();
      if (at < 0) {
        return free.stream()
            .map(Way::choice)
            .filter(choice -> choice.provider().equals(member))
            .findFirst()
            .orElse(first);
      }
    }
    return first;
  }

  /**
   * Learns how a call ended, and says what it means.
   *
   * @param began when it was sent: an answer to an older call neither clears nor doubles
   */
  synchronized Verdict report(Choice choice, ProviderEnd end, Duration began, Now now) {
    Provider provider = choice.provider();
    Row row = rows.getOrDefault(provider.name(), new Row(0, Duration.ZERO));
    boolean later = row.failures() == 0 || began.compareTo(row.last()) >= 0;
    int inARow = later ? row.failures() + 1 : row.failures();
    Verdict verdict = Classifier.of(end, provider.rules(), inARow, now.wall());
    switch (verdict.kind()) {
      case GOOD, CLIENT -> clearAfter(choice, began);
      case LIMIT -> setAside(choice, verdict, now.steady());
      case FAULT -> {
        rows.put(provider.name(), new Row(inARow, now.steady()));
        setAside(choice, verdict, now.steady());
      }
      case GONE -> setAside(choice, verdict, now.steady());
    }
    return verdict;
  }

  private void clearAfter(Choice choice, Duration began) {
    Row row = rows.get(choice.provider().name());
    if (row != null && began.compareTo(row.last()) >= 0) {
      rows.remove(choice.provider().name());
    }
    for (Cover cover : Cover.values()) {
      cooldowns.computeIfPresent(
          choice.covered(cover),
          (key, set) -> began.compareTo(set.since()) >= 0 && set.kind() != Kind.GONE ? null : set);
    }
  }

  private void setAside(Choice choice, Verdict verdict, Duration now) {
    CooldownKey key = choice.covered(verdict.cover());
    Duration until =
        verdict.kind() == Kind.GONE
            ? Cooldown.FOR_EVER
            : now.plus(verdict.length()).plus(jitter(verdict.length()));
    Cooldown set = new Cooldown(key, verdict.kind(), verdict.why(), now, until);
    makeRoom(now);
    cooldowns.merge(key, set, ProviderPool::heavier);
  }

  /** A fault must not hide a limit that is under way, nor end a limit early. */
  private static Cooldown heavier(Cooldown before, Cooldown after) {
    if (before.isOver(after.since())) {
      return after;
    }
    if (before.kind() == after.kind()) {
      return before.orLonger(after);
    }
    return before.kind() == Kind.FAULT ? after : before;
  }

  private Duration jitter(Duration length) {
    return Duration.ofNanos((long) (length.toNanos() * JITTER * chance.getAsDouble()));
  }

  private void makeRoom(Duration now) {
    if (cooldowns.size() < MOST_COOLDOWNS) {
      return;
    }
    cooldowns.values().removeIf(one -> one.isOver(now));
    while (cooldowns.size() >= MOST_COOLDOWNS) {
      cooldowns.values().stream()
          .min(Comparator.comparing(Cooldown::until))
          .ifPresent(soonest -> cooldowns.remove(soonest.key()));
    }
  }

  /** Ends what has this text for its key; false when nothing of that name is set aside. */
  synchronized boolean clear(String key, Duration now) {
    boolean cleared = false;
    for (Cooldown one : List.copyOf(cooldowns.values())) {
      if (one.key().text().equals(key) && !one.isOver(now)) {
        cooldowns.remove(one.key());
        cleared = true;
      }
    }
    if (cleared) {
      rows.remove(key);
    }
    return cleared;
  }

  /** Takes over what another pool knows of the providers that are the same here. */
  void adopt(ProviderPool before) {
    synchronized (before) {
      synchronized (this) {
        for (Provider same : providers) {
          if (before.providers.contains(same)) {
            before.cooldowns.values().stream()
                .filter(one -> one.key().provider().equals(same.name()))
                .forEach(one -> cooldowns.put(one.key(), one));
            Row row = before.rows.get(same.name());
            if (row != null) {
              rows.put(same.name(), row);
            }
          }
        }
      }
    }
  }

  /** What is set aside now. */
  synchronized List<Cooldown> cooling(Duration now) {
    return cooldowns.values().stream()
        .filter(one -> !one.isOver(now))
        .sorted(Comparator.comparing(one -> one.key().text()))
        .toList();
  }
}
