package dev.swapgate.backends.generic;

import dev.swapgate.backends.media.AnswerException;
import dev.swapgate.backends.media.ResultFolder;
import dev.swapgate.backends.media.Shape;
import dev.swapgate.backends.recipe.RunToExit;
import dev.swapgate.gate.core.JobAnswer;
import dev.swapgate.gate.core.JobRequest;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A job that is handed over in a folder: as files before, as files after. */
final class FolderJob {

  private FolderJob() {}

  static Optional<String> refusal(JobRequest request, RunToExit recipe, WorkFolder folder) {
    JobAnswer answer =
        AnswerException.answering(
            () -> {
              content(request, recipe);
              words(request, recipe);
              WorkFolder.checked(request.attachments());
              return folder
                  .whyNot()
                  .<JobAnswer>map(JobAnswer.Rejected::new)
                  .orElseGet(JobAnswer.Finished::new);
            });
    return answer instanceof JobAnswer.Rejected rejected
        ? Optional.of(rejected.reason())
        : Optional.empty();
  }

  static String shape(JobRequest request, RunToExit recipe) {
    try {
      return Submitted.values(request, recipe).shape();
    } catch (AnswerException unreadable) {
      return Shape.UNREADABLE;
    }
  }

  /** The files of a job: the request itself, and what the recipe makes of it. */
  private static Map<String, String> content(JobRequest request, RunToExit recipe) {
    Values values = Submitted.values(request, recipe);
    Map<String, String> files = new LinkedHashMap<>();
    files.put(WorkFolder.REQUEST, values.all().toPrettyString() + "\n");
    recipe.files().forEach((name, template) -> files.put(name, values.content(template)));
    return files;
  }

  /** The words of the command that does it; Rejected when one cannot be one. */
  static List<String> words(JobRequest request, RunToExit recipe) {
    Values values = Submitted.values(request, recipe);
    List<String> words = recipe.command().stream().map(values::content).toList();
    if (words.stream().anyMatch(word -> word.indexOf('\0') >= 0)) {
      throw AnswerException.rejected("a value with a zero byte cannot go into a command");
    }
    return words;
  }

  /** Lays it down; empty when it lies there, else why it does not. */
  static Optional<JobAnswer> laid(
      JobRequest request, RunToExit recipe, WorkFolder folder, String mark, String run) {
    try {
      folder.lay(mark, run, content(request, recipe), request.attachments());
      return Optional.empty();
    } catch (AnswerException refused) {
      return Optional.of(
          refused.answer() instanceof JobAnswer.Unwritable unwritable
              ? new JobAnswer.Errored("its request could not be laid down: " + unwritable.reason())
              : refused.answer());
    }
  }

  static JobAnswer collected(WorkFolder folder, Path into, long maxFileBytes) {
    try (ResultFolder results = ResultFolder.open(into, maxFileBytes)) {
      for (Path file : folder.results()) {
        results.write(String.valueOf(file.getFileName()), sink -> Spool.copy(file, sink));
      }
      return new JobAnswer.Collected(results.publish());
    }
  }
}
