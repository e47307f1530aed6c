package dev.swapgate.proxy.init;

import java.util.List;
import java.util.Map;

/**
 * One backend as it will stand in the file.
 *
 * @param comments above it: by what it was recognised, what was seen
 * @param vram as in the file; empty when it is not known
 * @param vramReason why that much
 * @param models the name clients use → the engine's own
 */
record Entry(
    String id,
    String container,
    String url,
    KnownServer known,
    List<String> comments,
    String vram,
    String vramReason,
    Map<String, String> models) {

  Entry {
    comments = List.copyOf(comments);
  }
}
