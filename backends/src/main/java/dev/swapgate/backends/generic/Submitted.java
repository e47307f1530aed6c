package dev.swapgate.backends.generic;

import dev.swapgate.backends.media.AnswerException;
import dev.swapgate.backends.media.MediaServer;
import dev.swapgate.backends.media.Shape;
import dev.swapgate.backends.recipe.BodyTemplate;
import dev.swapgate.backends.recipe.Call;
import dev.swapgate.backends.recipe.Inputs;
import dev.swapgate.backends.recipe.RunToExit;
import dev.swapgate.gate.core.JobAnswer;
import dev.swapgate.gate.core.JobRequest;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A job as it is handed in: its request put into the call that the recipe describes. */
final class Submitted {
  private static final String SEED = "seed";

  private Submitted() {}

  static Optional<String> refusal(JobRequest request, Inputs inputs, Call call) {
    JobAnswer answer =
        AnswerException.answering(
            () -> {
              Values unused = values(request, inputs, call);
              return new JobAnswer.Finished();
            });
    return answer instanceof JobAnswer.Rejected rejected
        ? Optional.of(rejected.reason())
        : Optional.empty();
  }

  /** By what its run time is learned; all requests that cannot be read share one. */
  static String shape(JobRequest request, Inputs inputs, Call call) {
    try {
      return values(request, inputs, call).shape();
    } catch (AnswerException unreadable) {
      return Shape.UNREADABLE;
    }
  }

  /** Where its values hold a seed, one of the defaults included, that one. */
  static Map<String, String> reseeded(JobRequest request, Inputs inputs, Call call, long seed) {
    try {
      return values(request, inputs, call).all().path(SEED).isNumber()
          ? Map.of(SEED, Long.toString(seed))
          : Map.of();
    } catch (AnswerException unreadable) {
      return Map.of();
    }
  }

  /** Rejected when the call has no place for something of it, or misses something. */
  static Values values(JobRequest request, Inputs inputs, Call call) {
    if (call.upload().isEmpty() && !request.attachments().isEmpty()) {
      throw AnswerException.rejected(
          "this backend takes no files along with a job; its configuration names no upload");
    }
    Set<String> places = new TreeSet<>(call.path().variables());
    call.body().map(BodyTemplate::variables).ifPresent(places::addAll);
    boolean takesAll = (call.hasBody() && call.body().isEmpty()) || places.contains(Inputs.ALL);
    return Values.of(request, inputs, takesAll, places);
  }

  /** What of a request goes into the files of a container that runs to its exit. */
  static Values values(JobRequest request, RunToExit recipe) {
    Set<String> places = recipe.variables();
    boolean takesAll = recipe.files().isEmpty() || places.contains(Inputs.ALL);
    return Values.of(request, recipe.inputs(), takesAll, places);
  }

  static MediaServer.Question question(JobRequest request, Inputs inputs, Call call) {
    return Question.of(call, values(request, inputs, call), request.attachments());
  }
}
