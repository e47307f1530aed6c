package dev.swapgate.proxy.fallback;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Looks for an error among the later events of a stream. They have gone to the client, and nothing
 * can be asked of anybody else; but the next request must not walk into the same limit. Not
 * thread-safe.
 */
public final class StreamWatch {

  /** Within a text it would be written {@code \"error\"}. */
  private static final String MARK = "\"error\"";

  private final ProviderHead head;
  private final boolean looks;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private Optional<ErrorHint> found = Optional.empty();

  public StreamWatch(ProviderHead head) {
    this.head = head;
    this.looks = head.isEventStream() && head.isReadable();
  }

  public void pass(ByteBuffer bytes) {
    if (!looks || found.isPresent()) {
      return;
    }
    ByteBuffer all = bytes.duplicate();
    while (all.hasRemaining()) {
      byte next = all.get();
      if (next == '\n' || next == '\r') {
        lineEnded();
      } else if (line.size() < ErrorHint.MOST_BYTES) {
        line.write(next);
      }
    }
  }

  private void lineEnded() {
    String text = line.toString(StandardCharsets.UTF_8);
    line.reset();
    if (text.startsWith("data:") && text.contains(MARK)) {
      ErrorHint hint = ErrorHint.of(text.substring("data:".length()).strip());
      if (hint.isError()) {
        found = Optional.of(hint);
      }
    }
  }

  /** How the call went, now that the answer is whole. */
  public ProviderEnd.Answered answered() {
    return head.ended(found.orElse(ErrorHint.NONE));
  }
}
