package dev.swapgate.backends.sim;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One request to the fake Docker API.
 *
 * @param version the API version in front of the path, as in {@code 1.41}; empty without one
 * @param path its parts, without the version
 */
record FakeDockerRequest(
    String method, String version, List<String> path, Map<String, String> query, String body) {
  private static final int MAX_BYTES = 1 << 20;

  /** Empty when the client has closed the connection between two requests. */
  static Optional<FakeDockerRequest> read(InputStream in) throws IOException {
    String first = line(in);
    if (first.isEmpty()) {
      return Optional.empty();
    }
    String[] words = first.split(" ");
    if (words.length != 3) {
      throw new IOException("no request line: " + first);
    }
    Map<String, String> headers = new HashMap<>();
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      int colon = Math.max(0, line.indexOf(':'));
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    return Optional.of(parse(words[0], words[1], body(in, headers)));
  }

  private static FakeDockerRequest parse(String method, String target, String body) {
    int mark = target.indexOf('?');
    String path = mark < 0 ? target : target.substring(0, mark);
    List<String> parts =
        Arrays.stream(path.split("/"))
            .filter(part -> !part.isEmpty())
            .map(s -> decoded(s))
            .toList();
    boolean versioned = !parts.isEmpty() && parts.get(0).matches("v[0-9]+\\.[0-9]+");
    return new FakeDockerRequest(
        method,
        versioned ? parts.get(0).substring(1) : "",
        versioned ? parts.subList(1, parts.size()) : parts,
        mark < 0 ? Map.of() : query(target.substring(mark + 1)),
        body);
  }

  private static Map<String, String> query(String text) {
    Map<String, String> query = new HashMap<>();
    for (String pair : text.split("&")) {
      int equals = pair.indexOf('=');
      String name = equals < 0 ? pair : pair.substring(0, equals);
      query.put(decoded(name), equals < 0 ? "" : decoded(pair.substring(equals + 1)));
    }
    return query;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  private static String body(InputStream in, Map<String, String> headers) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    if (headers.getOrDefault("transfer-encoding", "").contains("chunked")) {
      int size;
      do {
        size = Integer.parseInt(line(in).split(";")[0].strip(), 16);
        body.write(in.readNBytes(size));
        line(in);
      } while (size > 0 && body.size() < MAX_BYTES);
    } else {
      int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
      body.write(in.readNBytes(Math.min(length, MAX_BYTES)));
    }
    return body.toString(StandardCharsets.UTF_8);
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        if (line.size() == 0) {
          return "";
        }
        throw new EOFException("the request ended within a line");
      }
      line.write(next);
      if (line.size() > MAX_BYTES) {
        throw new IOException("a line of more than " + MAX_BYTES + " bytes");
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
  }

  boolean is(String parameter) {
    String value = query.getOrDefault(parameter, "0");
    return value.equals("1") || value.equalsIgnoreCase("true");
  }
}
