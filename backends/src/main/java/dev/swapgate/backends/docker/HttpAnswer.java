package dev.swapgate.backends.docker;

import com.github.dockerjava.transport.DockerHttpClient.Response;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One whole HTTP answer. A truncated one is an exception, never a shorter answer. */
final class HttpAnswer implements Response {
  /** More than any answer to a command; a peer that sends more is not Docker. */
  private static final int MAX_BYTES = 1 << 20;

  private final int status;
  private final Map<String, List<String>> headers;
  private final byte[] body;

  private HttpAnswer(int status, Map<String, List<String>> headers, byte[] body) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  static HttpAnswer read(InputStream in) throws IOException {
    int status;
    Map<String, List<String>> headers;
    do {
      status = status(line(in));
      headers = headers(in);
    } while (status < 200);
    return new HttpAnswer(status, headers, body(in, status, headers));
  }

  private static int status(String line) throws IOException {
    if (!line.matches("HTTP/1\\.[01] [1-5][0-9][0-9]( .*)?")) {
      throw new IOException("not an HTTP answer: " + line);
    }
    return Integer.parseInt(line.substring(9, 12));
  }

  private static Map<String, List<String>> headers(InputStream in) throws IOException {
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    int left = MAX_BYTES;
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      left -= line.length();
      if (colon < 1 || left < 0) {
        throw new IOException("not an HTTP header: " + line);
      }
      headers.put(line.substring(0, colon), List.of(line.substring(colon + 1).strip()));
    }
    return headers;
  }

  private static byte[] body(InputStream in, int status, Map<String, List<String>> headers)
      throws IOException {
    if (status == 204 || status == 304) {
      return new byte[0];
    }
    if (headers.containsKey("Transfer-Encoding")) {
      return chunks(in);
    }
    if (headers.containsKey("Content-Length")) {
      return exactly(in, number(headers.getOrDefault("Content-Length", List.of()).get(0), 10));
    }
    return in.readNBytes(MAX_BYTES);
  }

  private static byte[] chunks(InputStream in) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    int size;
    do {
      size = number(line(in).split(";")[0].strip(), 16);
      all.write(exactly(in, size));
      line(in);
    } while (size > 0 && all.size() < MAX_BYTES);
    return all.toByteArray();
  }

  private static int number(String digits, int radix) throws IOException {
    try {
      int number = Integer.parseInt(digits, radix);
      if (number >= 0 && number <= MAX_BYTES) {
        return number;
      }
      throw new IOException("a length out of range: " + digits);
    } catch (NumberFormatException notDigits) {
      throw new IOException("not a length: " + digits, notDigits);
    }
  }

  private static byte[] exactly(InputStream in, int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("the answer ended after " + bytes.length + " of " + length + " bytes");
    }
    return bytes;
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the connection ended before the answer was whole");
      }
      if (line.size() == MAX_BYTES) {
        throw new IOException("a line of more than " + MAX_BYTES + " bytes");
      }
      line.write(next);
    }
    return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
  }

  @Override
  public int getStatusCode() {
    return status;
  }

  @Override
  public Map<String, List<String>> getHeaders() {
    return headers;
  }

  @Override
  public InputStream getBody() {
    return new ByteArrayInputStream(Arrays.copyOf(body, body.length));
  }

  @Override
  public void close() {
    // It is already whole and in memory.
  }
}
