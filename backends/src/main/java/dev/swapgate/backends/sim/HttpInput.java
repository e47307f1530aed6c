package dev.swapgate.backends.sim;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The reading side of a connection: lines, exact lengths, and waiting for whatever comes next. */
final class HttpInput {
  private static final int BUFFER = 16 * 1024;

  /** As uvicorn and llama.cpp, well above what a client sends by intention. */
  private static final int LINE_LIMIT = 256 * 1024;

  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER];
  private int position;
  private int end;

  HttpInput(InputStream in) {
    this.in = in;
  }

  /** Waits until a byte is there; false when the peer has ended its side. */
  boolean awaitByte() throws IOException {
    if (position < end) {
      return true;
    }
    position = 0;
    end = Math.max(0, in.read(buffer));
    return end > 0;
  }

  String line() throws IOException {
    byte[] line = new byte[128];
    int length = 0;
    while (true) {
      int b = next();
      if (b == '\n') {
        break;
      }
      if (length == LINE_LIMIT) {
        throw new IOException("a line of the request is longer than " + LINE_LIMIT + " bytes");
      }
      if (length == line.length) {
        line = Arrays.copyOf(line, length * 2);
      }
      line[length++] = (byte) b;
    }
    int kept = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
    return new String(line, 0, kept, StandardCharsets.ISO_8859_1);
  }

  byte[] exactly(int length) throws IOException {
    byte[] bytes = new byte[length];
    int filled = 0;
    while (filled < length) {
      if (!awaitByte()) {
        throw new EOFException("the body ended after %d of %d bytes".formatted(filled, length));
      }
      int part = Math.min(length - filled, end - position);
      System.arraycopy(buffer, position, bytes, filled, part);
      position += part;
      filled += part;
    }
    return bytes;
  }

  private int next() throws IOException {
    if (!awaitByte()) {
      throw new EOFException("the request ended early");
    }
    return buffer[position++] & 0xff;
  }
}
