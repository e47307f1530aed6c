package dev.swapgate.gate.sim;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.Collectors;

/** The last things that happened, which is what a broken promise is explained with. */
final class Trace {
  private static final int LONGEST = 120;

  private final Deque<Traced> last = new ArrayDeque<>();

  /** Kept as it is and turned into words only when a promise breaks. */
  private record Traced(long at, Object what) {
    @Override
    public String toString() {
      String text = at + " " + what;
      return text.length() > 300 ? text.substring(0, 300) : text;
    }
  }

  void add(long at, Object what) {
    last.addLast(new Traced(at, what));
    if (last.size() > LONGEST) {
      last.removeFirst();
    }
  }

  AssertionError fail(String what, Throwable cause) {
    return new AssertionError(
        what + "\n  " + last.stream().map(Traced::toString).collect(Collectors.joining("\n  ")),
        cause);
  }
}
