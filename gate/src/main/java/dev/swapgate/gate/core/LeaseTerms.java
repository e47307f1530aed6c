package dev.swapgate.gate.core;

import java.time.Duration;
import java.util.Optional;

/**
 * What a lease depends on besides its time.
 *
 * @param heartbeat it ends once nobody has said for so long that it is still wanted; empty: it
 *     lasts its whole time
 * @param yields it ends as soon as a job waits for the card
 */
public record LeaseTerms(Optional<Duration> heartbeat, boolean yields) {

  /** It lasts its whole time. */
  public static final LeaseTerms PLAIN = new LeaseTerms(Optional.empty(), false);

  /** Throws {@link IllegalArgumentException} for a heartbeat that is not longer than 0 s. */
  public LeaseTerms {
    if (heartbeat.filter(time -> !time.isPositive()).isPresent()) {
      throw new IllegalArgumentException("a heartbeat must be longer than 0 s");
    }
  }
}
