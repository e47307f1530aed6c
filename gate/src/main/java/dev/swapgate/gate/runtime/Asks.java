package dev.swapgate.gate.runtime;

import dev.swapgate.gate.core.Now;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The questions that are out: at most one under each name, each with a deadline, so that a question
 * that is never answered costs time and nothing else. Not thread-safe; belongs to the loop.
 */
final class Asks {

  /** One question that is out. */
  record Ask(long id, String name, Duration asked, Duration deadline) {}

  private final Map<String, Ask> out = new HashMap<>();
  private long lastId;

  boolean isOut(String name) {
    return out.containsKey(name);
  }

  long ask(String name, Duration limit, Now now) {
    long id = ++lastId;
    out.put(name, new Ask(id, name, now.steady(), now.steady().plus(limit)));
    return id;
  }

  /** The question this answers; empty when its time is over: a late answer is no answer. */
  Optional<Ask> answered(long id) {
    Optional<Ask> found = out.values().stream().filter(one -> one.id() == id).findFirst();
    found.ifPresent(one -> out.remove(one.name()));
    return found;
  }

  /** Takes away the questions whose time is over. */
  List<Ask> overdue(Now now) {
    List<Ask> late = new ArrayList<>();
    for (Ask one : List.copyOf(out.values())) {
      if (now.steady().compareTo(one.deadline()) >= 0) {
        out.remove(one.name());
        late.add(one);
      }
    }
    return late;
  }

  /** Forgets a question: its answer no longer matters. */
  void drop(String name) {
    out.remove(name);
  }

  Optional<Duration> nextDeadline() {
    return out.values().stream().map(Ask::deadline).min(Duration::compareTo);
  }
}
