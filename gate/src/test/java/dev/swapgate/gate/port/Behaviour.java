package dev.swapgate.gate.port;

/** How a container's process behaves, in every twin of the contract. */
public enum Behaviour {
  /** Runs until it gets SIGTERM, then ends with 0 at once. */
  OBEDIENT,
  /** Ignores SIGTERM: it takes a SIGKILL to end it, with 137. */
  STUBBORN,
  /** Ends with {@link #QUITTER_EXIT_CODE} at once. */
  QUITTER,
  /** Warns on its error stream, then says "one", "two" and "three"; else obedient. */
  TALKER;

  public static final int QUITTER_EXIT_CODE = 3;
  public static final String WARNING = "a warning";

  /** What an obedient or stubborn one says once it is ready for signals. */
  public static final String UP = "up";

  /** The same behaviour as a shell script. */
  public String script() {
    return switch (this) {
      case OBEDIENT -> "trap 'exit 0' TERM; echo " + UP + "; " + RUN_ON;
      case STUBBORN -> "trap '' TERM; echo " + UP + "; " + RUN_ON;
      case QUITTER -> "exit " + QUITTER_EXIT_CODE;
      case TALKER ->
          "trap 'exit 0' TERM; echo "
              + WARNING
              + " >&2; sleep 1; echo one; echo two; echo three; "
              + RUN_ON;
    };
  }

  /** A trap is only run between two commands, but it ends a wait at once. */
  private static final String RUN_ON = "while true; do sleep 60 & wait $!; done";
}
