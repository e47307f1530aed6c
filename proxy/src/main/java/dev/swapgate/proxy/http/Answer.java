package dev.swapgate.proxy.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.file.Path;
import java.util.Map;

/** What the admin side answers. */
public sealed interface Answer {

  int status();

  /** A small body of text: JSON, or a plain page. */
  record Text(int status, String contentType, String body) implements Answer {}

  /** A file of the results folder, always as a download, never to be shown. */
  record Download(Path file, String name) implements Answer {
    @Override
    public int status() {
      return 200;
    }
  }

  /** The JSON of a record, its names in snake_case. */
  static Answer json(int status, Object value) {
    return new Text(status, "application/json", Wire.text(value));
  }

  static Answer plain(int status, String text) {
    return new Text(status, "text/plain; charset=utf-8", text);
  }

  /** {@code {"error":{"code","message"}}}, the one shape of every refusal of the admin side. */
  static Answer problem(int status, String code, String message) {
    return json(status, Map.of("error", Map.of("code", code, "message", message)));
  }

  static Answer problem(HttpProblem problem) {
    return problem(problem.status(), problem.code(), String.valueOf(problem.getMessage()));
  }

  /** How records become JSON on the admin side. */
  final class Wire {
    private static final ObjectMapper MAPPER =
        JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();

    private Wire() {}

    /** One line of JSON. */
    public static String text(Object value) {
      try {
        return MAPPER.writeValueAsString(value);
      } catch (JsonProcessingException e) {
        throw new IllegalArgumentException("not JSON: " + value.getClass().getName(), e);
      }
    }
  }
}
