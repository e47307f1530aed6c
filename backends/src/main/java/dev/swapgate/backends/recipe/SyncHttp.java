package dev.swapgate.backends.recipe;

import java.util.Optional;

/**
 * A server that does a job within one call: the answer is the result.
 *
 * @param cancel asked besides hanging up, for servers that work on without a listener
 */
public record SyncHttp(
    Inputs inputs,
    Call call,
    Result result,
    Optional<Progress> progress,
    Optional<Idle> idle,
    Optional<Call> cancel) {

  /**
   * What of the answer is saved.
   *
   * @param base64 where files stand as base64; empty: the answer itself is the file
   * @param name what files are called, without extension
   * @param extension without a dot; empty: by the content type
   * @param contentType how that of a good answer begins; empty: any
   */
  public record Result(
      Optional<JsonPath> base64, String name, String extension, String contentType) {}
}
