package dev.swapgate.proxy.door;

import dev.swapgate.proxy.http.ErrorAnswer;

/** How it stands with the server behind a door. */
sealed interface Stand {

  /** It answers. */
  record Awake() implements Stand {}

  /** It does not run yet, and somebody is waiting for it. */
  record Coming() implements Stand {}

  record Asleep() implements Stand {}

  /** It will not come now. */
  record Refused(ErrorAnswer error) implements Stand {}
}
