package dev.swapgate.proxy.config;

import dev.swapgate.proxy.notify.Target;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code notify}: who is told elsewhere, and what. */
final class NotifyReader {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final Secrets secrets;

  NotifyReader(Secrets secrets) {
    this.secrets = secrets;
  }

  List<Target> read(Section all) {
    List<Target> targets = new ArrayList<>();
    for (String name : all.freeKeys()) {
      all.section(name).flatMap(section -> target(name, section)).ifPresent(targets::add);
    }
    return List.copyOf(targets);
  }

  private Optional<Target> target(String name, Section section) {
    Optional<Target.Shape> shape = shape(section);
    Optional<URI> url = url(section);
    Set<String> on = on(section);
    Map<String, String> headers = headers(section);
    Duration timeout =
        section.duration("timeout", TIMEOUT, Duration.ofSeconds(1), Duration.ofMinutes(1));
    section.done();
    return shape.flatMap(one -> url.map(to -> new Target(name, to, one, on, headers, timeout)));
  }

  private static Optional<Target.Shape> shape(Section section) {
    String word = section.text("shape").orElse("json");
    Optional<Target.Shape> shape = Target.Shape.of(word);
    if (shape.isEmpty()) {
      section.problem("shape", "\"" + word + "\" is no shape; write json, ntfy or slack");
    }
    return shape;
  }

  /** It may hold a secret, so no message shows it. */
  private Optional<URI> url(Section section) {
    String text = secrets.address(section);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    String key = section.has("url") ? "url" : "url_file";
    try {
      URI url = new URI(text);
      boolean web = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
      if (!web || url.getHost() == null || url.getRawUserInfo() != null) {
        section.problem(key, "must be http://… or https://… with a host and no user in it");
        return Optional.empty();
      }
      if (url.getHost().startsWith("169.254.")) {
        section.problem(key, "is a link-local address, where clouds keep credentials");
        return Optional.empty();
      }
      return Optional.of(url);
    } catch (URISyntaxException e) {
      section.problem(key, "is no address; write http://… or https://…");
      return Optional.empty();
    }
  }

  private static Set<String> on(Section section) {
    if (!section.has("on")) {
      return new LinkedHashSet<>(onAll(section));
    }
    Set<String> on = new LinkedHashSet<>(section.texts("on"));
    for (String word : on) {
      if (!Target.KINDS.contains(word)) {
        section.problem(
            "on",
            "\"" + word + "\" is nothing to be told; write " + String.join(", ", Target.KINDS));
      }
    }
    return on;
  }

  /** The key is known although it is absent. */
  private static List<String> onAll(Section section) {
    section.texts("on");
    return Target.KINDS;
  }

  private Map<String, String> headers(Section section) {
    Map<String, String> headers = new LinkedHashMap<>();
    Section all = section.sectionOrEmpty("headers");
    for (String name : all.freeKeys()) {
      if (!name.matches("[A-Za-z0-9-]+")) {
        all.problem(name, "is no name of a header");
        continue;
      }
      secrets.header(all, name).ifPresent(value -> headers.put(name, value));
    }
    return headers;
  }
}
