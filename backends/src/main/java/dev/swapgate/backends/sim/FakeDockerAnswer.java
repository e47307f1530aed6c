package dev.swapgate.backends.sim;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** One answer of the fake Docker API, whole or in parts. */
interface FakeDockerAnswer {
  FakeDockerAnswer DONE = new Whole(204, "", "");
  FakeDockerAnswer NOT_MODIFIED = new Whole(304, "", "");

  /** Returns true when the connection may serve another request. */
  boolean writeTo(OutputStream out) throws IOException;

  static FakeDockerAnswer json(int status, Object json) {
    return new Whole(status, "application/json", Json.write(json) + "\n");
  }

  static FakeDockerAnswer error(int status, String message) {
    return json(status, Map.of("message", message));
  }

  /** An answer whose parts come as they happen. */
  static FakeDockerAnswer stream(String type, Parts parts) {
    return out -> {
      String head =
          "HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\nTransfer-Encoding: chunked\r\n\r\n";
      out.write(head.getBytes(StandardCharsets.US_ASCII));
      parts.writeTo(part -> chunk(out, part));
      out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      return true;
    };
  }

  private static void chunk(OutputStream out, byte[] part) throws IOException {
    if (part.length > 0) {
      ByteArrayOutputStream whole = new ByteArrayOutputStream();
      whole.writeBytes(
          (Integer.toHexString(part.length) + "\r\n").getBytes(StandardCharsets.UTF_8));
      whole.writeBytes(part);
      whole.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
      out.write(whole.toByteArray());
    }
  }

  /** What comes as it happens. */
  interface Parts {
    void writeTo(Sink sink) throws IOException;
  }

  /** Where one part goes. */
  interface Sink {
    void write(byte[] part) throws IOException;
  }

  /** An answer with a length. */
  record Whole(int status, String type, String body) implements FakeDockerAnswer {
    @Override
    public boolean writeTo(OutputStream out) throws IOException {
      out.write(bytes());
      return true;
    }

    private byte[] bytes() {
      byte[] content = body.getBytes(StandardCharsets.UTF_8);
      StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Fake\r\n");
      head.append("Api-Version: " + FakeDockerRoutes.API_VERSION + "\r\n");
      head.append("Ostype: linux\r\nServer: swapgate fake Docker API\r\n");
      if (!type.isEmpty()) {
        head.append("Content-Type: " + type + "\r\nContent-Length: " + content.length + "\r\n");
      }
      ByteArrayOutputStream whole = new ByteArrayOutputStream();
      whole.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
      whole.writeBytes(content);
      return whole.toByteArray();
    }
  }

  /** Half of the answer, then the connection ends. */
  static FakeDockerAnswer half(FakeDockerAnswer whole) {
    return out -> {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      whole.writeTo(all);
      out.write(all.toByteArray(), 0, all.size() / 2);
      return false;
    };
  }
}
