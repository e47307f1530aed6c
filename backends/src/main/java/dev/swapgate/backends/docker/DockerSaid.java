package dev.swapgate.backends.docker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.dockerjava.api.exception.DockerException;
import java.util.Optional;

/** Docker's own words in an answer that was no success. */
final class DockerSaid {
  private static final ObjectMapper JSON = new ObjectMapper();

  private DockerSaid() {}

  /** The text of the {@code message} that Docker's API puts into every error; else empty. */
  static Optional<String> message(DockerException answer) {
    try {
      JsonNode message = JSON.readTree(body(answer)).path("message");
      return message.isTextual() ? Optional.of(message.asText().strip()) : Optional.empty();
    } catch (JsonProcessingException notJson) {
      return Optional.empty();
    }
  }

  /** Docker's words, or whatever the body was, and the status. */
  static String words(DockerException answer) {
    return message(answer).orElseGet(() -> body(answer).strip())
        + " (status "
        + answer.getHttpStatus()
        + ")";
  }

  /** True only when the API itself says so: a wrong path or another server's 404 proves nothing. */
  static boolean noSuchContainer(DockerException answer) {
    return answer.getHttpStatus() == 404
        && message(answer).filter(words -> !words.equals("page not found")).isPresent();
  }

  /** The exception's message is "Status 409: " and the body as it came. */
  private static String body(DockerException answer) {
    String text = answer.getMessage() == null ? "" : answer.getMessage();
    String prefix = "Status " + answer.getHttpStatus() + ": ";
    return text.startsWith(prefix) ? text.substring(prefix.length()) : text;
  }
}
