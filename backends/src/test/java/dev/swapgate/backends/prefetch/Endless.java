package dev.swapgate.backends.prefetch;

import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/** A file without end; at each read something happens first. */
final class Endless implements ReadableByteChannel {
  private final Runnable atEachRead;

  Endless(Runnable atEachRead) {
    this.atEachRead = atEachRead;
  }

  @Override
  public int read(ByteBuffer into) {
    atEachRead.run();
    int length = into.remaining();
    into.position(into.limit());
    return length;
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {}
}
