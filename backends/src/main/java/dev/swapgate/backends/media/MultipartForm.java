package dev.swapgate.backends.media;

import java.io.FileNotFoundException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A body of {@code multipart/form-data}; files are read while they are sent. One use. */
public final class MultipartForm {
  private final String border = "swapgate-" + UUID.randomUUID();
  private final List<BodyPublisher> parts = new ArrayList<>();

  public String contentType() {
    return "multipart/form-data; boundary=" + border;
  }

  public void field(String name, String value) {
    begin(name, "");
    text(value + "\r\n");
  }

  public void file(String field, String name, BodyPublisher content) {
    begin(field, name);
    parts.add(content);
    text("\r\n");
  }

  /** What lies in a file of ours; Rejected when it is gone. */
  public static BodyPublisher onDisk(String name, Path file) {
    try {
      return BodyPublishers.ofFile(file);
    } catch (FileNotFoundException gone) {
      throw AnswerException.rejected("the file '" + name + "' that came with the job is gone");
    }
  }

  private void begin(String name, String fileName) {
    text(
        "--"
            + border
            + "\r\nContent-Disposition: form-data; name=\""
            + quoted(name)
            + (fileName.isEmpty()
                ? "\"\r\n\r\n"
                : "\"; filename=\""
                    + ResultName.safe(fileName)
                    + "\"\r\nContent-Type: application/octet-stream\r\n\r\n"));
  }

  /** As browsers do it: a name cannot end its own quotes or line. */
  private static String quoted(String name) {
    return name.replace("\"", "%22").replace("\r", "%0D").replace("\n", "%0A");
  }

  private void text(String text) {
    parts.add(BodyPublishers.ofByteArray(text.getBytes(StandardCharsets.UTF_8)));
  }

  public BodyPublisher body() {
    text("--" + border + "--\r\n");
    return BodyPublishers.concat(parts.toArray(BodyPublisher[]::new));
  }
}
