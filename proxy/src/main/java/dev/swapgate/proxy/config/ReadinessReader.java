package dev.swapgate.proxy.config;

import dev.swapgate.backends.settings.ReadinessSettings;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Reads what a readiness probe asks; its {@code budget interval passes} belong to the gate. */
final class ReadinessReader {

  private static final String HEADER_NAME = "[A-Za-z0-9!#$%&'*+.^_`|~-]+";

  private ReadinessReader() {}

  /** What is asked when the file says nothing but the path. */
  static ReadinessSettings standard(String path) {
    return new ReadinessSettings(path, Set.of(200), "", Map.of(), Duration.ofSeconds(5));
  }

  static ReadinessSettings settings(Section section, String defaultPath, Secrets secrets) {
    String path = section.text("path").orElse(defaultPath);
    if (!path.startsWith("/") || path.chars().anyMatch(c -> c <= ' ' || c == '#' || c > '~')) {
      section.problem("path", "is no path; write for example /health");
    }
    ReadinessSettings standard = standard(path);
    return new ReadinessSettings(
        path,
        section.numbers("accept", standard.accept(), 100, 599),
        section.text("body_contains").orElse(standard.bodyContains()),
        headers(section.sectionOrEmpty("headers"), secrets),
        section.duration(
            "timeout", standard.timeout(), Duration.ofMillis(100), Duration.ofMinutes(5)));
  }

  static Map<String, String> headers(Section section, Secrets secrets) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (String name : section.freeKeys()) {
      if (!name.matches(HEADER_NAME)) {
        section.problem(name, "cannot be a header's name");
      }
      secrets.header(section, name).ifPresent(value -> headers.put(name, value));
    }
    return headers;
  }
}
