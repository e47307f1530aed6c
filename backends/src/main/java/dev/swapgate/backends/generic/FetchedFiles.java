package dev.swapgate.backends.generic;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.backends.media.AnswerException;
import dev.swapgate.backends.media.Download;
import dev.swapgate.backends.media.Json;
import dev.swapgate.backends.media.MediaServer;
import dev.swapgate.backends.media.ResultFolder;
import dev.swapgate.backends.media.ServerFile;
import dev.swapgate.backends.recipe.SubmitPollFetch;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** The files of a job that is done, as its server gives them out. */
record FetchedFiles(MediaServer server, URI base, SubmitPollFetch.Fetch fetch) {
  private static final int SHOWN_LIMIT = 300;
  private static final int WORDS_BYTES = 64 << 10;

  /**
   * Saves them all.
   *
   * @param answer the last answer to the poll
   */
  void save(JsonNode answer, String id, ResultFolder results) {
    Set<ServerFile> files = new LinkedHashSet<>();
    Values values = Values.none().with(SubmitPollFetch.ID, id);
    if (fetch.at().isEmpty()) {
      files.add(file(values, ""));
    } else {
      for (JsonNode item : Found.all(answer, fetch.at().get())) {
        String told = Found.text(item);
        files.add(file(values.with(SubmitPollFetch.ITEM, told), told));
      }
    }
    if (files.isEmpty()) {
      throw AnswerException.uncollectable(
          "the job is done but names no result at " + fetch.at().orElseThrow().text());
    }
    files.forEach(file -> save(file, results));
  }

  private ServerFile file(Values values, String told) {
    Optional<String> path = fetch.path().map(values::path);
    ServerFile file = ServerFile.of(base, path.orElse(told));
    // Where the path is of our making, the file's own name is what the server told.
    return path.isEmpty() || told.isEmpty()
        ? file
        : new ServerFile(file.path(), told.replaceFirst("[?#].*$", ""));
  }

  private void save(ServerFile file, ResultFolder results) {
    try (Download download = server.download(file.path())) {
      boolean fits = download.contentType().startsWith(fetch.contentType());
      if (Outcome.isGood(download.status()) && fits) {
        results.add(name(file.name(), download.contentType()), download);
        return;
      }
      String question = "GET " + Json.line(file.path(), SHOWN_LIMIT);
      String words = Outcome.words(question, download.status(), download.beginning(WORDS_BYTES));
      if (download.status() / 100 == 5 || Outcome.isForLater(download.status())) {
        throw AnswerException.unanswered(words);
      }
      throw AnswerException.uncollectable(fits ? words : words + ", as " + download.contentType());
    }
  }

  private String name(String told, String contentType) {
    String last = told.substring(told.lastIndexOf('/') + 1);
    int dot = last.lastIndexOf('.');
    boolean hasExtension = dot > 0 && dot > last.length() - 7 && dot < last.length() - 1;
    String extension = hasExtension ? last.substring(dot) : "." + FileKind.extension(contentType);
    String stem =
        fetch.name().isEmpty() ? (hasExtension ? last.substring(0, dot) : last) : fetch.name();
    return stem + extension;
  }
}
