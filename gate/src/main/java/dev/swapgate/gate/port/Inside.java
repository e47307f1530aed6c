package dev.swapgate.gate.port;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Commands that run inside containers which are up already. Each has an id of Docker's by which it
 * is known until its container goes down, whoever asks. Every call returns within 10 s;
 * thread-safe.
 */
public interface Inside {

  /**
   * What became of a command.
   *
   * @param exitCode empty while it runs, and before it was begun
   */
  record State(boolean runs, OptionalInt exitCode) {}

  /**
   * Makes a command ready and gives its id; nothing runs yet.
   *
   * @throws BackendException when it was not made ready, or nobody knows
   */
  String prepare(String container, List<String> argv);

  /**
   * Begins it. One id is begun once at most: a second time is refused and changes nothing.
   *
   * @throws BackendException when it was refused, or nobody knows
   */
  void begin(String id);

  /**
   * Looks at it; empty when Docker does not know it (any more).
   *
   * @throws BackendException when Docker cannot be asked
   */
  Optional<State> look(String id);
}
