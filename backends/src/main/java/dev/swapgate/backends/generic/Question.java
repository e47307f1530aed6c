package dev.swapgate.backends.generic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.swapgate.backends.media.AnswerException;
import dev.swapgate.backends.media.Json;
import dev.swapgate.backends.media.MediaServer;
import dev.swapgate.backends.media.MultipartForm;
import dev.swapgate.backends.recipe.Call;
import dev.swapgate.gate.core.JobRequest;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;

/** A call of a recipe, filled in with a job's values and ready to be sent. */
final class Question {

  /** Files inside JSON are in memory as a whole, and as base64 once more. */
  static final long INLINE_LIMIT_BYTES = 32L << 20;

  private Question() {}

  static MediaServer.Question of(
      Call call, Values values, List<JobRequest.Attachment> attachments) {
    MediaServer.Question question =
        MediaServer.Question.of(call.method(), values.path(call.path()), call.headers());
    if (!call.hasBody()) {
      return question;
    }
    JsonNode body = call.body().map(values::body).orElseGet(() -> values.without(call.path()));
    return switch (call.send()) {
      case JSON -> {
        JsonNode whole = inlined(body, call, attachments);
        yield question.with("application/json", BodyPublishers.ofByteArray(Json.bytes(whole)));
      }
      case MULTIPART -> {
        MultipartForm form = new MultipartForm();
        body.properties().stream()
            .filter(field -> !field.getValue().isNull())
            .forEach(field -> form.field(field.getKey(), Found.text(field.getValue())));
        attachments.forEach(
            file ->
                form.file(
                    call.upload().orElseThrow(),
                    file.name(),
                    MultipartForm.onDisk(file.name(), Path.of(file.path()))));
        yield question.with(form.contentType(), form.body());
      }
    };
  }

  private static JsonNode inlined(
      JsonNode body, Call call, List<JobRequest.Attachment> attachments) {
    if (attachments.isEmpty()) {
      return body;
    }
    if (!(body instanceof ObjectNode object)) {
      throw AnswerException.rejected("files go into a JSON object only; this body is none");
    }
    ObjectNode whole = object.deepCopy();
    ArrayNode files = whole.putArray(call.upload().orElseThrow());
    long size = 0;
    for (JobRequest.Attachment file : attachments) {
      try {
        size += Files.size(Path.of(file.path()));
        if (size > INLINE_LIMIT_BYTES) {
          throw AnswerException.rejected(
              "the files of the job are larger than "
                  + (INLINE_LIMIT_BYTES >> 20)
                  + " MiB, the most that goes inside JSON");
        }
        files.add(Base64.getEncoder().encodeToString(Files.readAllBytes(Path.of(file.path()))));
      } catch (IOException gone) {
        throw AnswerException.rejected(
            "the file '" + file.name() + "' that came with the job is gone");
      }
    }
    return whole;
  }
}
