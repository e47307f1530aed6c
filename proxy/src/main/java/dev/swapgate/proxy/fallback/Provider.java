package dev.swapgate.proxy.fallback;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Another server that may answer.
 *
 * @param url base address; with a path in it that path stands in place of a request's {@code /v1}
 * @param keys at least one; an open server has one without a secret
 * @param models client's name of a model to the provider's, {@code *} for all others; empty passes
 *     all names as they are
 * @param paths that it serves, as clients ask for them
 * @param headers that are added to each request; may hold secrets
 * @param weight its share where members are picked by chance
 */
public record Provider(
    String name,
    URI url,
    Api api,
    List<Key> keys,
    Map<String, String> models,
    Set<String> paths,
    Map<String, String> headers,
    int weight,
    Timeouts timeouts,
    ProviderRules rules) {

  /** Stands for every model that is not named. */
  public static final String ANY = "*";

  public Provider {
    keys = List.copyOf(keys);
    models = Map.copyOf(models);
    paths = Set.copyOf(paths);
    headers = Map.copyOf(headers);
  }

  /**
   * How long is waited.
   *
   * @param connect until there is a connection
   * @param answer until the head of an answer; a whole answer has its head only when it is made
   * @param idle between two pieces of it
   */
  public record Timeouts(Duration connect, Duration answer, Duration idle) {
    public static Timeouts standard() {
      return new Timeouts(Duration.ofSeconds(10), Duration.ofMinutes(5), Duration.ofMinutes(2));
    }
  }

  /** The family of API it speaks. */
  public enum Api {
    OPENAI,
    ANTHROPIC;

    /**
     * What is served unless the configuration says otherwise. Embeddings are not among it: vectors
     * of another model spoil an index without anybody noticing.
     */
    public Set<String> paths() {
      return switch (this) {
        case OPENAI -> Set.of("/v1/chat/completions", "/v1/completions", "/v1/responses");
        case ANTHROPIC -> Set.of("/v1/messages", "/v1/messages/count_tokens");
      };
    }
  }

  /**
   * One key.
   *
   * @param name by which people know it
   * @param secret empty: none is sent
   */
  public record Key(String name, String secret) {

    private static final int SHOWN = 4;

    /** Shorter ones would be half told by their last characters. */
    private static final int SHORTEST_SHOWN = 16;

    /** Its last four characters at most. */
    String masked() {
      return secret.length() < SHORTEST_SHOWN
          ? (secret.isEmpty() ? "" : "***")
          : "…" + secret.substring(secret.length() - SHOWN);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** Where prompts go. */
  public String host() {
    return url.getPort() < 0 ? url.getHost() : url.getHost() + ":" + url.getPort();
  }

  /** The provider's name of a client's model; empty when it does not have it. */
  Optional<String> model(String asked) {
    if (models.isEmpty()) {
      return Optional.of(asked);
    }
    return Optional.ofNullable(models.getOrDefault(asked, models.get(ANY)));
  }

  /** Where a request for this path goes. */
  URI target(String path) {
    String base = url.getRawPath() == null ? "" : url.getRawPath().replaceAll("/+$", "");
    String rest = base.isEmpty() ? path : path.substring("/v1".length());
    return URI.create(url.getScheme() + "://" + url.getRawAuthority() + base + rest);
  }

  /** Without headers and secrets. */
  @Override
  public String toString() {
    return name + " at " + host();
  }
}
