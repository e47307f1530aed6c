package dev.swapgate.proxy.cli;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** Standard output for a protocol of lines: whole lines, as they are, and nothing else. */
final class LineOutput extends OutputStream {

  private final PrintWriter out;
  private final ByteArrayOutputStream begun = new ByteArrayOutputStream();

  LineOutput(PrintWriter out) {
    this.out = out;
  }

  @Override
  public synchronized void write(int one) {
    begun.write(one);
    if (one == '\n') {
      flush();
    }
  }

  @Override
  public synchronized void write(byte[] bytes, int from, int count) {
    begun.write(bytes, from, count);
    if (count > 0 && bytes[from + count - 1] == '\n') {
      flush();
    }
  }

  /** What is no whole line yet stays: a letter may be cut in two. */
  @Override
  public synchronized void flush() {
    byte[] bytes = begun.toByteArray();
    if (bytes.length > 0 && bytes[bytes.length - 1] == '\n') {
      out.print(new String(bytes, StandardCharsets.UTF_8));
      out.flush();
      begun.reset();
    }
  }
}
