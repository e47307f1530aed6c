package dev.swapgate.backends.sim;

/** The pretend card could not do what was asked. */
public class CardException extends RuntimeException {

  CardException(String message) {
    super(message);
  }

  CardException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Not enough free memory for a claim: what a real card answers with "out of memory". */
  public static final class Full extends CardException {
    private final int wantedMib;
    private final int freeMib;

    Full(String who, int wantedMib, int freeMib) {
      super(
          "%s asked the card for %d MiB but only %d MiB are free of %d MiB"
              .formatted(who, wantedMib, freeMib, PretendCard.TOTAL_MIB));
      this.wantedMib = wantedMib;
      this.freeMib = freeMib;
    }

    public int wantedMib() {
      return wantedMib;
    }

    public int freeMib() {
      return freeMib;
    }
  }
}
