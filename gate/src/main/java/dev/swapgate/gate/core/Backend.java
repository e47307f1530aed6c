package dev.swapgate.gate.core;

/** One container that can own the card: an {@link Engine} (serves chat) or a {@link Media}. */
public sealed interface Backend permits Engine, Media {

  /** The backend's name in {@code swapgate.yaml}. */
  Id id();

  /** The name of its container, resolved anew at each use; ids change when it is recreated. */
  String container();

  /** How long each step of this backend may take. */
  Budgets budgets();

  /** A backend's name in {@code swapgate.yaml}, the same in URLs, metrics and logs. */
  record Id(String value) implements Comparable<Id> {
    public Id {
      if (value.isBlank()) {
        throw new IllegalArgumentException("a backend's name must not be blank");
      }
    }

    @Override
    public int compareTo(Id other) {
      return value.compareTo(other.value);
    }

    @Override
    public String toString() {
      return value;
    }
  }
}
