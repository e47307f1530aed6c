package dev.swapgate.proxy.chat;

import dev.swapgate.proxy.http.Field;
import dev.swapgate.proxy.http.RequestHead;
import io.undertow.server.HttpServerExchange;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Which of a client's headers a provider gets to see: the ones its API needs. The client's own
 * credentials, cookies and addresses are for this box only.
 */
final class ProviderHeaders {

  private static final Set<String> SENT =
      Set.of("content-type", "accept", "openai-beta", "anthropic-version", "anthropic-beta");

  private ProviderHeaders() {}

  static List<Field> of(HttpServerExchange exchange) {
    return RequestHead.of(exchange).fields().stream()
        .filter(field -> SENT.contains(field.name().toLowerCase(Locale.ROOT)))
        .filter(field -> field.value().chars().allMatch(c -> c >= ' ' && c <= '~'))
        .toList();
  }
}
