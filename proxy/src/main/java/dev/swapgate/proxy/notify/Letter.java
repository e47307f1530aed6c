package dev.swapgate.proxy.notify;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Map;

/** A notice in the shape that its target takes. */
record Letter(String contentType, Map<String, String> headers, String body) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Beyond this a sentence is cut: ntfy makes an attachment of 4 KiB and more. */
  private static final int LONGEST = 1000;

  static Letter of(Notice notice, Target.Shape shape) {
    return switch (shape) {
      case JSON -> new Letter("application/json", Map.of(), json(plain(notice)));
      case SLACK ->
          new Letter(
              "application/json",
              Map.of(),
              json(Map.of("text", "*" + title(notice) + "*\n" + escaped(text(notice)))));
      case NTFY ->
          new Letter(
              "text/plain; charset=utf-8",
              Map.of(
                  "Title", title(notice),
                  "Priority", notice.kind().isBad() ? "high" : "default",
                  "Tags", notice.kind().isBad() ? "warning" : "white_check_mark"),
              text(notice));
    };
  }

  private static Map<String, String> plain(Notice notice) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("event", notice.kind().word());
    fields.put("at", notice.at().toString());
    fields.put("text", text(notice));
    fields.put("backend", notice.backend());
    fields.put("job", notice.job());
    return fields;
  }

  private static String title(Notice notice) {
    return "swapgate: " + notice.kind().title();
  }

  private static String text(Notice notice) {
    String text = notice.text();
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
  }

  /** Slack makes links and mentions of what stands in angle brackets. */
  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private static String json(Map<String, String> fields) {
    try {
      return JSON.writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("texts are always JSON", e);
    }
  }
}
