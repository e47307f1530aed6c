package dev.swapgate.proxy.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what listens where: {@code 127.0.0.1:8484}, {@code http://127.0.0.1:8000}. */
final class Addresses {

  private static final Pattern LISTEN =
      Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)]|([A-Za-z0-9_.-]+)):(\\d{1,5})");

  private static final String NO_SCHEME = "must begin with http:// or https://";

  private Addresses() {}

  /** {@code host:port} or {@code [v6]:port}; empty when it is neither. Port 0: any free one. */
  static Optional<SwapgateConfig.Address> parse(String text) {
    Matcher parts = LISTEN.matcher(text);
    if (!parts.matches() || Integer.parseInt(parts.group(3)) > 65_535) {
      return Optional.empty();
    }
    String host = parts.group(1) == null ? parts.group(2) : parts.group(1);
    return Optional.of(new SwapgateConfig.Address(host, Integer.parseInt(parts.group(3))));
  }

  /** A backend's base address without a trailing slash; a problem and empty when it is unfit. */
  static Optional<URI> url(Section section, String key, String text) {
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException e) {
      section.problem(
          key,
          text.startsWith("http://") || text.startsWith("https://")
              ? "is no address; write http://127.0.0.1:8000"
              : NO_SCHEME);
      return Optional.empty();
    }
    Optional<String> unfit = unfit(uri);
    if (unfit.isPresent()) {
      section.problem(key, unfit.get());
      return Optional.empty();
    }
    return Optional.of(URI.create(text.replaceAll("/+$", "")));
  }

  private static Optional<String> unfit(URI uri) {
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https")) {
      return Optional.of(NO_SCHEME);
    }
    if (uri.getRawUserInfo() != null) {
      return Optional.of(
          "must not hold a user or password; give readiness.headers or api_key_file");
    }
    if (uri.getHost() == null) {
      return Optional.of("names no host; write http://127.0.0.1:8000");
    }
    if (uri.getPort() == 0 || uri.getPort() > 65_535) {
      return Optional.of("the port must lie between 1 and 65535");
    }
    if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
      return Optional.of("is a base address and must not hold ? or #");
    }
    if (uri.getHost().startsWith("169.254.")) {
      return Optional.of("is a link-local address, where clouds keep credentials; use another");
    }
    return Optional.empty();
  }

  /** What two addresses share when they are one place: host and port, loopback names alike. */
  static String place(URI uri) {
    int port = uri.getPort() >= 0 ? uri.getPort() : "https".equals(uri.getScheme()) ? 443 : 80;
    return place(uri.getHost(), port);
  }

  static String place(String host, int port) {
    String lower = host.toLowerCase(Locale.ROOT).replace("[", "").replace("]", "");
    boolean here =
        lower.equals("localhost")
            || lower.startsWith("127.")
            || lower.equals("::1")
            || lower.equals("0.0.0.0")
            || lower.equals("::");
    return (here ? "loopback" : lower) + ":" + port;
  }
}
