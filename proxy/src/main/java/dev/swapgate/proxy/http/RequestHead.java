package dev.swapgate.proxy.http;

import io.undertow.server.HttpServerExchange;
import io.undertow.util.AttachmentKey;
import io.undertow.util.HeaderValues;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A request's head byte for byte: the target with its bare {@code ?}, the header lines in their
 * order, with their case and the blanks within their values. The library's own reading loses these.
 */
public record RequestHead(String method, String target, List<Field> fields) {

  private static final AttachmentKey<RequestHead> KEY = AttachmentKey.create(RequestHead.class);
  private static final List<HttpString> DECISIVE =
      List.of(Headers.HOST, Headers.CONTENT_LENGTH, Headers.TRANSFER_ENCODING, Headers.EXPECT);
  private static final Set<String> VERSIONS = Set.of("HTTP/1.0", "HTTP/1.1");

  public RequestHead {
    fields = List.copyOf(fields);
  }

  /** The head of a request that came through a {@link Listener}. */
  public static RequestHead of(HttpServerExchange exchange) {
    RequestHead head = exchange.getAttachment(KEY);
    if (head == null) {
      throw new IllegalStateException("the exchange did not come through a listener of ours");
    }
    return head;
  }

  void attachTo(HttpServerExchange exchange) {
    exchange.putAttachment(KEY, this);
  }

  /** The values of a header, in their order. */
  public List<String> values(String name) {
    return Field.values(fields, name);
  }

  /**
   * The target as it goes to another server: an absolute form only from its path on.
   *
   * @return with its query, as it was sent
   */
  public String originForm() {
    int scheme = target.startsWith("/") ? -1 : target.indexOf("://");
    if (scheme < 0) {
      return target;
    }
    for (int i = scheme + 3; i < target.length(); i++) {
      if (target.charAt(i) == '/') {
        return target.substring(i);
      }
      if (target.charAt(i) == '?') {
        return "/" + target.substring(i);
      }
    }
    return "/";
  }

  /**
   * Reads strictly what a lenient reader might take for something else: CRLF only, no folded lines,
   * one blank between the words of the first line, no blanks before a colon.
   *
   * @param bytes up to and with the blank line
   */
  static Optional<RequestHead> parse(byte[] bytes, int length) {
    String text = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
    if (!text.endsWith("\r\n\r\n")) {
      return Optional.empty();
    }
    List<String> lines = HeaderLines.split(text.substring(0, length - 4));
    String[] words = lines.get(0).split(" ", -1);
    if (words.length != 3
        || !HeaderLines.isToken(words[0])
        || !isTarget(words[1])
        || !VERSIONS.contains(words[2])) {
      return Optional.empty();
    }
    List<Field> fields = new ArrayList<>(lines.size() - 1);
    for (int i = 1; i < lines.size(); i++) {
      Optional<Field> field = HeaderLines.read(lines.get(i));
      if (field.isEmpty()) {
        return Optional.empty();
      }
      fields.add(field.get());
    }
    return Optional.of(new RequestHead(words[0], words[1], fields));
  }

  private static boolean isTarget(String word) {
    for (int i = 0; i < word.length(); i++) {
      char c = word.charAt(i);
      if (c <= ' ' || c >= 0x7f) {
        return false;
      }
    }
    return !word.isEmpty();
  }

  /** Whether the library read the same out of those lines that decide where the body ends. */
  boolean agreesWith(HttpServerExchange exchange) {
    for (HttpString name : DECISIVE) {
      HeaderValues theirs = exchange.getRequestHeaders().get(name);
      List<String> ours = values(name.toString());
      if (theirs == null ? !ours.isEmpty() : !ours.equals(List.copyOf(theirs))) {
        return false;
      }
    }
    int query = target.indexOf('?');
    String path = query < 0 ? target : target.substring(0, query);
    return exchange.getRequestMethod().toString().equals(method)
        && exchange.getRequestURI().equals(path);
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%s, %d header lines", method, fields.size());
  }
}
