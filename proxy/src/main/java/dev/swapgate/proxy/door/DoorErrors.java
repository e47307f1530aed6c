package dev.swapgate.proxy.door;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.runtime.Gate;
import dev.swapgate.proxy.http.ErrorAnswer;

/** What is said at the door instead of the server's answer. */
record DoorErrors(Gate gate, Backend.Id backend) {

  ErrorAnswer asleep() {
    return ErrorAnswer.unavailable(
        "asleep",
        "swapgate: "
            + backend
            + " is not running; open its page in a browser and wake it, or send it work",
        gate.retryAfterSeconds());
  }

  ErrorAnswer busy(String why) {
    return ErrorAnswer.unavailable("door_busy", "swapgate: " + why, gate.retryAfterSeconds());
  }

  static ErrorAnswer failed(String why) {
    return ErrorAnswer.engineFailed("swapgate: the media server failed this request: " + why)
        .withCode("media_failed");
  }
}
