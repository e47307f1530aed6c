package dev.swapgate.proxy.forward;

import dev.swapgate.proxy.http.ChunkDecoder;
import dev.swapgate.proxy.http.Field;
import java.nio.ByteBuffer;
import java.util.List;

/** Finds the bytes of a body, and its end, in what an engine sends. */
sealed interface BodyDecoder {

  /**
   * Moves the body's bytes from {@code in} to {@code out}, which has at least as much room.
   *
   * @throws dev.swapgate.proxy.http.ChunkException the framing is broken
   */
  void decode(ByteBuffer in, ByteBuffer out);

  /** Whether the body has been seen to its end. */
  boolean done();

  /** Whether the end of the connection is the end of the body. */
  default boolean endsWithConnection() {
    return false;
  }

  /** What followed the body; none before its end. */
  default List<Field> trailers() {
    return List.of();
  }

  /** A body of known length. */
  final class Fixed implements BodyDecoder {
    private long left;

    Fixed(long length) {
      this.left = length;
    }

    @Override
    public void decode(ByteBuffer in, ByteBuffer out) {
      int part = (int) Math.min(left, in.remaining());
      out.put(in.slice(in.position(), part));
      in.position(in.position() + part);
      left -= part;
    }

    @Override
    public boolean done() {
      return left == 0;
    }
  }

  /** A body that ends when the engine closes; a broken one cannot be told from a whole one. */
  final class UntilClose implements BodyDecoder {
    @Override
    public void decode(ByteBuffer in, ByteBuffer out) {
      out.put(in);
    }

    @Override
    public boolean done() {
      return false;
    }

    @Override
    public boolean endsWithConnection() {
      return true;
    }
  }

  /** A body in chunks. */
  final class Chunked implements BodyDecoder {
    private final ChunkDecoder chunks = new ChunkDecoder();

    @Override
    public void decode(ByteBuffer in, ByteBuffer out) {
      chunks.decode(in, out);
    }

    @Override
    public boolean done() {
      return chunks.done();
    }

    @Override
    public List<Field> trailers() {
      return ResponseHeadParser.fields(chunks.trailers());
    }
  }
}
