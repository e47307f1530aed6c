package dev.swapgate.proxy.forward;

import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** Which headers of a message belong to one connection and are not passed on. */
final class HopByHop {

  private static final Set<String> ALWAYS =
      Set.of(
          "connection",
          "keep-alive",
          "proxy-connection",
          "proxy-authenticate",
          "proxy-authorization",
          "te",
          "transfer-encoding",
          "upgrade",
          "http2-settings");

  /** In lower case. */
  private final Set<String> named;

  private HopByHop(Set<String> named) {
    this.named = named;
  }

  /** Of an answer: the fixed ones and those that its Connection header adds. */
  static HopByHop ofAnswer(Collection<String> connectionValues) {
    Set<String> named = new HashSet<>(4);
    for (String value : connectionValues) {
      for (String token : value.split(",")) {
        named.add(token.strip().toLowerCase(Locale.ROOT));
      }
    }
    return new HopByHop(named);
  }

  /** The same of a request, whose trailers are not passed on either. */
  static HopByHop ofRequest(Collection<String> connectionValues) {
    HopByHop hop = ofAnswer(connectionValues);
    hop.named.add("trailer");
    return hop;
  }

  /** Whether this header is one of them. */
  boolean holds(String lowerCaseName) {
    return ALWAYS.contains(lowerCaseName) || named.contains(lowerCaseName);
  }
}
