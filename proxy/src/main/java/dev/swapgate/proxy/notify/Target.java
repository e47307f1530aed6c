package dev.swapgate.proxy.notify;

import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Where notices go.
 *
 * @param url often a secret, like the headers: never shown
 * @param on the words of what is told there, of {@link #KINDS}
 * @param timeout of one try
 */
public record Target(
    String name,
    URI url,
    Shape shape,
    Set<String> on,
    Map<String, String> headers,
    Duration timeout) {

  /** All that can be told, by its word. */
  public static final List<String> KINDS =
      Arrays.stream(Notice.Kind.values()).map(Notice.Kind::word).toList();

  public Target {
    on = Set.copyOf(on);
    headers = Map.copyOf(headers);
  }

  /** How a notice is written down. */
  public enum Shape {
    /** Plain JSON: {@code event at text backend job}. */
    JSON,
    /** A message of ntfy: text, with title, priority and tags in headers. */
    NTFY,
    /**
     * What Slack's incoming webhooks take, and those of Mattermost and Discord ({@code /slack}).
     */
    SLACK;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** By its word; empty when there is none. */
    public static Optional<Shape> of(String word) {
      return Arrays.stream(values()).filter(shape -> shape.word().equals(word)).findFirst();
    }
  }

  boolean wants(Notice notice) {
    return on.contains(notice.kind().word());
  }

  @Override
  public String toString() {
    return "Target[name=" + name + ", shape=" + shape.word() + ", url=***]";
  }
}
