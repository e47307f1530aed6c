package dev.swapgate.backends.sim;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** How one API spells a generated answer, whole or in parts. */
interface ReplyShape {

  /** Content type of a stream. */
  String streamType();

  /** The parts before the first token, each an event of its own. */
  List<String> opening();

  String token(String text);

  List<String> closing(int tokens);

  @Nullable Object whole(String text, int tokens);

  /** One server-sent event without a name. */
  static String event(@Nullable Object data) {
    return "data: " + Json.write(data) + "\n\n";
  }
}
