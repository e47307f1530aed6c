package dev.swapgate.proxy.http;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A request's whole body in memory, on the account of a {@link ByteBudget} until released. Confined
 * to its exchange's I/O thread.
 */
public final class Body {

  /** Grows with what came: a client that announces much and sends little takes little room. */
  private static final int FIRST_SEGMENT_BYTES = 4 * 1024;

  private static final int SEGMENT_BYTES = 64 * 1024;

  private final ByteBudget budget;
  private final List<byte[]> segments = new ArrayList<>();
  private long size;
  private long room;
  private long taken;

  Body(ByteBudget budget) {
    this.budget = budget;
  }

  /** The place the next bytes are read into; empty when the budget has no room for it. */
  ByteBuffer tail(long expected) {
    if (room == 0) {
      long grown = Math.min(SEGMENT_BYTES, Math.max(FIRST_SEGMENT_BYTES, size));
      int next = (int) Math.max(1, Math.min(grown, expected));
      if (!budget.take(next)) {
        return ByteBuffer.allocate(0);
      }
      segments.add(new byte[next]);
      taken += next;
      room = next;
    }
    byte[] last = segments.get(segments.size() - 1);
    return ByteBuffer.wrap(last, (int) (last.length - room), (int) room);
  }

  void filled(int bytes) {
    size += bytes;
    room -= bytes;
  }

  public long size() {
    return size;
  }

  /** The bytes, in order, to be read only; the same ones at each call until released. */
  public List<ByteBuffer> buffers() {
    List<ByteBuffer> buffers = new ArrayList<>(segments.size());
    for (int i = 0; i < segments.size(); i++) {
      byte[] segment = segments.get(i);
      boolean last = i == segments.size() - 1;
      buffers.add(ByteBuffer.wrap(segment, 0, (int) (segment.length - (last ? room : 0))));
    }
    return buffers;
  }

  /** One copy of it all. */
  public byte[] bytes() {
    ByteBuffer whole = ByteBuffer.allocate((int) size);
    buffers().forEach(whole::put);
    return whole.array();
  }

  /** Puts other bytes in their place, on the same account. */
  public void replace(byte[] bytes) {
    segments.clear();
    segments.add(bytes);
    size = bytes.length;
    room = 0;
  }

  /** Forgets the bytes and gives their room back. Calling it again does nothing. */
  public void release() {
    budget.give(taken);
    taken = 0;
    segments.clear();
    size = 0;
    room = 0;
  }
}
