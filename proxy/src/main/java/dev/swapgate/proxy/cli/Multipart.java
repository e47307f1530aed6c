package dev.swapgate.proxy.cli;

import java.io.FileNotFoundException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A {@code multipart/form-data} body whose files are read while they are sent. */
final class Multipart {

  private final String boundary = "swapgate-" + UUID.randomUUID();
  private final List<BodyPublisher> parts = new ArrayList<>();

  void json(String name, String json) {
    head("name=\"" + name + "\"", "application/json");
    text(json + "\r\n");
  }

  /** Adds a file; throws {@link CliException} when it cannot be read. */
  void file(String name, Path file) {
    head("name=\"file\"; filename=\"" + name + "\"", "application/octet-stream");
    try {
      parts.add(BodyPublishers.ofFile(file));
    } catch (FileNotFoundException e) {
      throw new CliException(ExitCode.REFUSED, "cannot read " + file + "; check the path", e);
    }
    text("\r\n");
  }

  String contentType() {
    return "multipart/form-data; boundary=" + boundary;
  }

  BodyPublisher publisher() {
    text("--" + boundary + "--\r\n");
    return BodyPublishers.concat(parts.toArray(BodyPublisher[]::new));
  }

  private void head(String disposition, String type) {
    text(
        "--%s\r\nContent-Disposition: form-data; %s\r\nContent-Type: %s\r\n\r\n"
            .formatted(boundary, disposition, type));
  }

  private void text(String text) {
    parts.add(BodyPublishers.ofByteArray(text.getBytes(StandardCharsets.UTF_8)));
  }
}
