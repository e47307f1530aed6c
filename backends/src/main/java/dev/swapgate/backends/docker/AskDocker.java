package dev.swapgate.backends.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.DockerException;
import dev.swapgate.gate.port.BackendException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Asks the daemon something that changes nothing, once, within 10 s. Thread-safe. */
final class AskDocker {
  /** What the port promises for a look. */
  static final Duration DEADLINE = Duration.ofSeconds(10);

  private final DockerHost host;
  private final TimedCalls calls;
  private final Duration deadline;

  AskDocker(DockerHost host, TimedCalls calls, Duration deadline) {
    this.host = host;
    this.calls = calls;
    this.deadline = deadline;
  }

  /** A question, put to a client that is closed afterwards. */
  interface Question<T> {
    T put(DockerClient docker) throws Exception;
  }

  /**
   * @param verb what is done, as in {@code look}
   * @param about the container's name, or {@code docker}
   * @return empty when Docker says that there is no such container
   * @throws BackendException when there was no answer, or none that can be read
   */
  <T> Optional<T> ask(String verb, String about, Question<T> question) {
    CallEnd<T> end =
        calls.call(
            "swapgate-" + verb + "-" + about,
            deadline,
            () -> {
              try (DockerClient docker = host.forReads()) {
                return question.put(docker);
              }
            });
    return switch (end) {
      case CallEnd.Answered<T> answered -> Optional.of(answered.answer());
      case CallEnd.Threw<T> threw -> threw(verb, about, unwrapped(threw.error()));
      case CallEnd.Late<T> late ->
          throw failure(
              verb, about, "no answer within " + late.deadline().toMillis() + " ms", null);
      case CallEnd.NotBegun<T> not -> throw failure(verb, about, not.reason(), null);
    };
  }

  private static Throwable unwrapped(Throwable error) {
    return error instanceof ExecutionException && error.getCause() != null
        ? error.getCause()
        : error;
  }

  private <T> Optional<T> threw(String verb, String about, Throwable error) {
    if (!(error instanceof DockerException answer)) {
      throw failure(verb, about, Causes.of(error), error);
    }
    if (DockerSaid.noSuchContainer(answer)) {
      return Optional.empty();
    }
    throw failure(verb, about, "it said: " + DockerSaid.words(answer), answer);
  }

  private BackendException failure(
      String verb, String about, String seen, @Nullable Throwable cause) {
    String message = "asked Docker at " + host + " (" + verb + " " + about + "): " + seen;
    return cause == null ? new BackendException(message) : new BackendException(message, cause);
  }
}
