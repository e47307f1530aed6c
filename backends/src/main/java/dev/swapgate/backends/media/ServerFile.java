package dev.swapgate.backends.media;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * One file of a result. The server names it by an address; only the path and query are used, and
 * only when the address leads to the very server that was asked.
 *
 * @param path path and query, to ask the configured server for
 * @param name what the file is called there
 */
public record ServerFile(String path, String name) {

  public static ServerFile of(URI base, String told) {
    URI address;
    try {
      address = new URI(told);
    } catch (URISyntaxException odd) {
      throw refused(told);
    }
    boolean elsewhere =
        address.getScheme() == null
            ? address.getRawAuthority() != null
            : !address.getScheme().equals(base.getScheme())
                || !Objects.equals(address.getRawAuthority(), base.getRawAuthority());
    String path = address.getRawPath() == null ? "" : address.getRawPath();
    if (elsewhere || path.isEmpty() || path.contains("..")) {
      throw refused(told);
    }
    String query = address.getRawQuery() == null ? "" : "?" + address.getRawQuery();
    return new ServerFile((path.startsWith("/") ? "" : "/") + path + query, name(path, query));
  }

  /** The file's own name stands at the end of the query's {@code path}, else of the path. */
  private static String name(String path, String query) {
    for (String field : query.replaceFirst("^\\?", "").split("&")) {
      if (field.startsWith("path=")) {
        return URLDecoder.decode(field.substring("path=".length()), StandardCharsets.UTF_8);
      }
    }
    return URLDecoder.decode(path, StandardCharsets.UTF_8);
  }

  private static AnswerException refused(String told) {
    return AnswerException.uncollectable(
        "the server names a result at '"
            + Json.line(told, 200)
            + "', which is not its own address");
  }
}
