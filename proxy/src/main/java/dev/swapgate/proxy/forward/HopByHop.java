package dev.swapgate.proxy.forward;

import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** Header names that belong to one connection and are not passed on. */
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

  private HopByHop() {}

  /**
   * The names to strip of an answer, in lower case: the fixed ones and those the Connection header
   * adds.
   */
  static Set<String> ofAnswer(Collection<String> connectionValues) {
    Set<String> names = new HashSet<>(ALWAYS);
    for (String value : connectionValues) {
      for (String token : value.split(",")) {
        names.add(token.strip().toLowerCase(Locale.ROOT));
      }
    }
    return names;
  }

  /** The same of a request, whose trailers are not passed on either. */
  static Set<String> ofRequest(Collection<String> connectionValues) {
    Set<String> names = ofAnswer(connectionValues);
    names.add("trailer");
    return names;
  }
}
