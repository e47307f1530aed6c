package dev.swapgate.backends.generic;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.backends.media.AnswerException;
import dev.swapgate.backends.media.MediaServer;
import dev.swapgate.backends.recipe.Idle;
import dev.swapgate.backends.recipe.Progress;
import dev.swapgate.gate.core.JobAnswer;
import java.util.Optional;

/** What a server tells about its work as a whole. */
record SideQuestions(MediaServer server, Optional<Idle> idle) {

  /** What becomes of an attempt that cannot be asked about by name. */
  JobAnswer lost(String reason) {
    if (idle.isEmpty()) {
      return new JobAnswer.Unanswered(reason + "; only a restart of the server proves it is over");
    }
    return isIdle(idle.get())
        ? new JobAnswer.NotKnown()
        : new JobAnswer.Unanswered(reason + ", and the server is still at work");
  }

  /** False only when the server tells that it works. */
  boolean mayBeIdle() {
    return idle.isEmpty() || isIdle(idle.get());
  }

  /** "" when it is idle; empty when nothing says how to ask, or it does not answer. */
  Optional<String> underWay() {
    try {
      return idle.map(asked -> isIdle(asked) ? "" : "work");
    } catch (AnswerException untold) {
      return Optional.empty();
    }
  }

  private boolean isIdle(Idle asked) {
    JsonNode answer = server.get(Values.none().path(asked.path())).ok();
    return asked.values().contains(Found.text(answer, asked.at()));
  }

  /** NaN when it is not told. */
  static double fraction(JsonNode answer, Progress progress) {
    try {
      double told = Double.parseDouble(Found.text(answer, progress.at())) / progress.full();
      return told >= 0 && told <= 1 ? told : Double.NaN;
    } catch (NumberFormatException untold) {
      return Double.NaN;
    }
  }

  /** By a question of its own; NaN when it is not told. */
  double asked(Progress progress) {
    try {
      String path = Values.none().path(progress.path().orElseThrow());
      return fraction(server.get(path).ok(), progress);
    } catch (AnswerException untold) {
      return Double.NaN;
    }
  }
}
