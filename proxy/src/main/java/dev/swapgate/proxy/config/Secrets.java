package dev.swapgate.proxy.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads secrets, which come from a file or the environment and never stand in {@code swapgate.yaml}
 * itself: that file is copied, shown and committed. No message here holds a secret's text.
 */
final class Secrets {

  /** Far above any key or token; a larger file is the wrong file. */
  static final int MAX_BYTES = 16 * 1024;

  private final Path folder;

  Secrets(Path folder) {
    this.folder = folder;
  }

  /** {@code api_key_file: path} or {@code api_key: ${NAME}}; empty for none. */
  String apiKey(Section section) {
    Optional<String> raw = section.raw("api_key");
    Optional<String> file = section.text("api_key_file");
    if (raw.isPresent() && file.isPresent()) {
      section.problem("api_key", "and api_key_file are both given; keep one");
    }
    if (raw.isPresent()) {
      if (!Placeholders.isIn(raw.get())) {
        section.problem(
            "api_key", "must not stand in this file; use api_key_file: PATH or api_key: ${NAME}");
        return "";
      }
      return fit(section, "api_key", section.text("api_key").orElse(""));
    }
    return file.map(path -> fromFile(section, "api_key_file", path)).orElse("");
  }

  /** One of several keys: {@code ${NAME}} or {@code {file: PATH}}; empty when it is unfit. */
  Optional<String> named(Section keys, String name) {
    boolean bare =
        !keys.isSection(name) && keys.raw(name).filter(raw -> !Placeholders.isIn(raw)).isPresent();
    if (bare) {
      keys.problem(name, "must not stand in this file; use {file: PATH} or ${NAME}");
      return Optional.empty();
    }
    return header(keys, name);
  }

  /** {@code url: address}, often {@code ${NAME}}, or {@code url_file: path}; empty for none. */
  String address(Section section) {
    Optional<String> text = section.text("url");
    Optional<String> file = section.text("url_file");
    if (text.isPresent() == file.isPresent()) {
      section.problem(
          "url",
          text.isPresent() ? "and url_file are both given; keep one" : "or url_file is needed");
      return "";
    }
    return text.map(url -> fit(section, "url", url))
        .orElseGet(() -> fromFile(section, "url_file", file.orElseThrow()));
  }

  /** One header's value: a text, or {@code {file: PATH}}. */
  Optional<String> header(Section headers, String name) {
    if (!headers.isSection(name)) {
      return headers.text(name).map(value -> fit(headers, name, value));
    }
    return headers
        .section(name)
        .map(
            section -> {
              String path = section.required("file", "", "the file that holds the value");
              section.done();
              return path.isEmpty() ? "" : fromFile(section, "file", path);
            });
  }

  private String fromFile(Section section, String key, String path) {
    Path file = folder.resolve(path);
    try {
      if (Files.size(file) > MAX_BYTES) {
        section.problem(
            key, file + " is larger than 16 KiB; name the file that holds the key only");
        return "";
      }
      return fit(section, key, Files.readString(file, StandardCharsets.UTF_8).strip());
    } catch (IOException e) {
      section.problem(
          key,
          file + " cannot be read (" + e.getClass().getSimpleName() + "); check path and rights");
      return "";
    }
  }

  private static String fit(Section section, String key, String secret) {
    if (secret.isBlank() || secret.chars().anyMatch(Character::isISOControl)) {
      section.problem(key, "holds an empty or many-lined value; one line is needed");
      return "";
    }
    return secret;
  }
}
