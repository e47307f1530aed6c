package dev.swapgate.backends.sim;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code multipart/form-data}. */
final class Multipart {
  private static final Pattern BOUNDARY = Pattern.compile("boundary=\"?([^\";]+)\"?");
  private static final Pattern NAME = Pattern.compile("[ ;]name=\"([^\"]*)\"");
  private static final Pattern FILE_NAME = Pattern.compile("filename=\"([^\"]*)\"");

  private final List<Part> parts;

  private Multipart(List<Part> parts) {
    this.parts = parts;
  }

  /**
   * One part.
   *
   * @param fileName empty for a plain field
   */
  @SuppressWarnings("ArrayRecordComponent") // Read once and never compared.
  record Part(String name, String fileName, byte[] bytes) {
    String text() {
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  /** The parts of this request; none when it is of another kind. */
  static Multipart of(HttpRequest request) {
    Matcher boundary = BOUNDARY.matcher(request.header("Content-Type").orElse(""));
    if (!boundary.find()) {
      return new Multipart(List.of());
    }
    // Latin-1 maps each byte to one character and back, so that text tools can cut bytes.
    String body = new String(request.body(), StandardCharsets.ISO_8859_1);
    List<Part> parts = new ArrayList<>();
    for (String piece : body.split(Pattern.quote("--" + boundary.group(1)), -1)) {
      int blank = piece.indexOf("\r\n\r\n");
      if (blank >= 0) {
        parts.add(part(piece.substring(0, blank), piece.substring(blank + 4)));
      }
    }
    return new Multipart(parts);
  }

  private static Part part(String head, String body) {
    String content = body.endsWith("\r\n") ? body.substring(0, body.length() - 2) : body;
    return new Part(
        first(NAME, head), first(FILE_NAME, head), content.getBytes(StandardCharsets.ISO_8859_1));
  }

  List<Part> parts() {
    return parts;
  }

  Optional<Part> part(String name) {
    return parts.stream().filter(part -> part.name().equals(name)).findFirst();
  }

  private static String first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      return "";
    }
    byte[] utf8 = matcher.group(1).getBytes(StandardCharsets.ISO_8859_1);
    return new String(utf8, StandardCharsets.UTF_8);
  }
}
