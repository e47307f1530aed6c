package dev.swapgate.proxy.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.xnio.conduits.AbstractStreamSinkConduit;
import org.xnio.conduits.StreamSinkConduit;

/**
 * What the library says to a request that it refuses before a handler of ours is asked is an empty
 * 400 that does not tell who answered. This says it properly in its stead. Confined to the I/O
 * thread of its connection.
 */
final class EarlyRefusal extends AbstractStreamSinkConduit<StreamSinkConduit> {

  private static final byte[] TEXT = text();

  private final BooleanSupplier noRequestYet;
  private @Nullable ByteBuffer ours;

  /**
   * @param noRequestYet whether no whole head has come since the last answer: what is written then
   *     can only be a refusal of the library's
   */
  EarlyRefusal(StreamSinkConduit next, BooleanSupplier noRequestYet) {
    super(next);
    this.noRequestYet = noRequestYet;
  }

  private static byte[] text() {
    String body =
        ErrorEnvelope.json(
            ApiShape.OPENAI,
            ErrorAnswer.invalid(
                400,
                "bad_request",
                "swapgate: what came is no HTTP/1.1 request, has not exactly one valid Host, or"
                    + " more than "
                    + Listener.MAX_HEADER_BYTES
                    + " bytes or "
                    + Listener.MAX_HEADERS
                    + " lines of headers"));
    String head =
        "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nCache-Control: no-store\r\n"
            + AnsweredBy.HEADER
            + ": "
            + AnsweredBy.GATE
            + "\r\nConnection: close\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n";
    return (head + body).getBytes(StandardCharsets.US_ASCII);
  }

  /** Whether it speaks now; true until the connection ends, once it was. */
  private boolean speaks() {
    if (ours == null && noRequestYet.getAsBoolean()) {
      ours = ByteBuffer.wrap(TEXT);
    }
    return ours != null;
  }

  /** Says what is left to say; what the library wanted to say counts as said after it. */
  private long sayInsteadOf(ByteBuffer[] theirs, int first, int count) throws IOException {
    ByteBuffer left = ours;
    while (left != null && left.hasRemaining()) {
      if (next.write(left) == 0) {
        return 0;
      }
    }
    long said = 0;
    for (int i = first; i < first + count; i++) {
      said += theirs[i].remaining();
      theirs[i].position(theirs[i].limit());
    }
    return said;
  }

  @Override
  public int write(ByteBuffer bytes) throws IOException {
    return speaks() ? (int) sayInsteadOf(new ByteBuffer[] {bytes}, 0, 1) : super.write(bytes);
  }

  @Override
  public long write(ByteBuffer[] bytes, int first, int count) throws IOException {
    return speaks() ? sayInsteadOf(bytes, first, count) : super.write(bytes, first, count);
  }

  @Override
  public int writeFinal(ByteBuffer bytes) throws IOException {
    if (!speaks()) {
      return super.writeFinal(bytes);
    }
    int said = (int) sayInsteadOf(new ByteBuffer[] {bytes}, 0, 1);
    if (!bytes.hasRemaining()) {
      next.terminateWrites();
    }
    return said;
  }

  @Override
  public long writeFinal(ByteBuffer[] bytes, int first, int count) throws IOException {
    if (!speaks()) {
      return super.writeFinal(bytes, first, count);
    }
    long said = sayInsteadOf(bytes, first, count);
    if (ours != null && !ours.hasRemaining()) {
      next.terminateWrites();
    }
    return said;
  }
}
