package dev.swapgate.proxy.fallback;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The beginning of an answer, kept back until it is known what it is: a provider may say 200 and
 * put its error into the body or into the first event, and until the first byte has gone to the
 * client somebody else can be asked. Not thread-safe.
 */
public final class Opening {

  /** A whole answer that has not begun as an error within so much is none. */
  private static final int BEGINNING = 64;

  private final ProviderHead head;
  private final List<ByteBuffer> kept = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();
  private boolean ended;

  public Opening(ProviderHead head) {
    this.head = head;
  }

  public ProviderHead head() {
    return head;
  }

  public void add(ByteBuffer bytes) {
    kept.add(bytes);
    if (text.length() < ErrorHint.MOST_BYTES) {
      text.append(StandardCharsets.UTF_8.decode(bytes.duplicate()));
    }
  }

  /** The answer is whole. */
  public void end() {
    ended = true;
  }

  /** What was kept back, in order. */
  public List<ByteBuffer> kept() {
    return kept;
  }

  /** Whether enough has come to say how the call went. */
  public boolean isKnown() {
    boolean byItsHead = !head.isReadable() || (head.isGood() && head.isPage());
    if (ended || byItsHead || text.length() >= ErrorHint.MOST_BYTES) {
      return true;
    }
    if (!head.isGood()) {
      return false;
    }
    return head.isEventStream()
        ? firstData().isPresent()
        : text.toString().strip().length() >= BEGINNING && !ErrorHint.beginsAsError(text);
  }

  /** How the call went, as far as the beginning tells. */
  public ProviderEnd.Answered answered() {
    if (!head.isReadable() && !head.isPage()) {
      return head.ended(ErrorHint.NONE);
    }
    if (head.isGood() && (head.isPage() || (ended && isEmpty()))) {
      return head.ended(ErrorHint.NO_ANSWER);
    }
    String said = head.isGood() && head.isEventStream() ? firstData().orElse("") : text.toString();
    return head.ended(ErrorHint.of(said));
  }

  private boolean isEmpty() {
    return head.isEventStream() ? firstData().isEmpty() : text.toString().isBlank();
  }

  /** The data of the first event that has any, once it is whole. */
  private Optional<String> firstData() {
    int from = 0;
    while (from < text.length()) {
      int end = endOfLine(from);
      if (end < 0 && !ended) {
        return Optional.empty();
      }
      String line = text.substring(from, end < 0 ? text.length() : end);
      if (line.startsWith("data:")) {
        return Optional.of(line.substring("data:".length()).strip());
      }
      from += line.length() + 1;
    }
    return Optional.empty();
  }

  private int endOfLine(int from) {
    for (int i = from; i < text.length(); i++) {
      if (text.charAt(i) == '\n' || text.charAt(i) == '\r') {
        return i;
      }
    }
    return -1;
  }
}
