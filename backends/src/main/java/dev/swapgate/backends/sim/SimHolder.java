package dev.swapgate.backends.sim;

import java.nio.file.Path;

/**
 * A process that holds memory on the pretend card and does nothing else: the desktop, a stranger.
 * Arguments: the card's directory, its name, the MiB. Says {@code holding} once it has them.
 */
public final class SimHolder {
  private SimHolder() {}

  public static void main(String[] arguments) {
    if (arguments.length != 3) {
      System.err.println("usage: SimHolder <card directory> <name> <MiB>");
      System.exit(2);
      return;
    }
    try (Claim claim =
        PretendCard.at(Path.of(arguments[0])).claim(arguments[1], Integer.parseInt(arguments[2]))) {
      System.out.println("holding " + claim.mib());
      Pause.forEver();
    } catch (CardException.Full e) {
      System.err.println(e.getMessage());
      System.exit(1);
    }
  }
}
