package dev.swapgate.backends.sim;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One request, kept as it came over the wire: the target undecoded, headers in their order and
 * spelling, so that a test can see what a proxy made of it.
 *
 * @param framing how the length of the body was told: {@code none}, {@code content-length} or
 *     {@code chunked}
 */
@SuppressWarnings("ArrayRecordComponent") // Made once per request and never compared.
record HttpRequest(
    String method,
    String target,
    String version,
    List<Header> headers,
    String framing,
    byte[] body) {
  private static final int BODY_LIMIT = 256 * 1024 * 1024;
  private static final int HEADER_LIMIT = 1000;

  /** One header line. */
  record Header(String name, String value) {}

  static HttpRequest read(HttpInput in, OutputStream out) throws IOException {
    String[] first = in.line().split(" ", 3);
    if (first.length != 3) {
      throw new IOException("not a request line: " + String.join(" ", first));
    }
    List<Header> headers = new ArrayList<>();
    for (String line = in.line(); !line.isEmpty(); line = in.line()) {
      int colon = line.indexOf(':');
      if (colon < 1 || headers.size() == HEADER_LIMIT) {
        throw new IOException("not a header line, or too many: " + line);
      }
      headers.add(new Header(line.substring(0, colon), line.substring(colon + 1).strip()));
    }
    HttpRequest head =
        new HttpRequest(first[0], first[1], first[2], List.copyOf(headers), "none", new byte[0]);
    return head.withBody(in, out);
  }

  private HttpRequest withBody(HttpInput in, OutputStream out) throws IOException {
    boolean chunked =
        header("Transfer-Encoding").map(value -> value.equalsIgnoreCase("chunked")).orElse(false);
    Optional<String> length = header("Content-Length");
    if (!chunked && length.isEmpty()) {
      return this;
    }
    if (header("Expect").map(value -> value.equalsIgnoreCase("100-continue")).orElse(false)) {
      out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
      out.flush();
    }
    byte[] body = chunked ? chunks(in) : in.exactly(bodyLength(length.orElse("0"), 10));
    return new HttpRequest(
        method, target, version, headers, chunked ? "chunked" : "content-length", body);
  }

  private static byte[] chunks(HttpInput in) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      String size = in.line();
      int semicolon = size.indexOf(';');
      int length = bodyLength(semicolon < 0 ? size : size.substring(0, semicolon), 16);
      if (length == 0) {
        break;
      }
      body.write(in.exactly(bodyLength(Integer.toString(body.size() + length), 10) - body.size()));
      in.line();
    }
    String trailer = in.line();
    while (!trailer.isEmpty()) {
      trailer = in.line();
    }
    return body.toByteArray();
  }

  private static int bodyLength(String digits, int radix) throws IOException {
    try {
      int length = Integer.parseInt(digits.strip(), radix);
      if (length >= 0 && length <= BODY_LIMIT) {
        return length;
      }
    } catch (NumberFormatException e) {
      throw new IOException("not a length: " + digits, e);
    }
    throw new IOException("a body of " + digits + " bytes; the limit is " + BODY_LIMIT);
  }

  Optional<String> header(String name) {
    return headers.stream()
        .filter(header -> header.name().equalsIgnoreCase(name))
        .map(Header::value)
        .findFirst();
  }

  /** The path, decoded, without the query. */
  String path() {
    int question = target.indexOf('?');
    String raw = question < 0 ? target : target.substring(0, question);
    return decode(raw.replace("+", "%2B"));
  }

  /** The first value of a query parameter. */
  Optional<String> query(String name) {
    int question = target.indexOf('?');
    return question < 0 ? Optional.empty() : formField(target.substring(question + 1), name);
  }

  /** The first value of a field in {@code a=b&c=d}. */
  static Optional<String> formField(String form, String name) {
    for (String pair : form.split("&", -1)) {
      int equals = pair.indexOf('=');
      String key = decode(equals < 0 ? pair : pair.substring(0, equals));
      if (key.equals(name)) {
        return Optional.of(equals < 0 ? "" : decode(pair.substring(equals + 1)));
      }
    }
    return Optional.empty();
  }

  String bodyText() {
    return new String(body, StandardCharsets.UTF_8);
  }

  /** Whether the client wants the connection to stay. */
  boolean keepAlive() {
    String connection = header("Connection").orElse("");
    return version.equals("HTTP/1.1") && !connection.equalsIgnoreCase("close");
  }

  private static String decode(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return text;
    }
  }
}
