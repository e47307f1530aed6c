package dev.swapgate.proxy.config;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** What a reader asks for at one key: its kind, its range, what applies without it. */
sealed interface Question {

  /** Any single value. */
  record Text() implements Question {}

  record Span(Optional<Duration> standard, Duration min, Duration max) implements Question {}

  record Whole(OptionalInt standard, int min, int max) implements Question {}

  /** In bytes. */
  record Size(long min, long max) implements Question {}

  record Texts() implements Question {}

  record Wholes(int min, int max) implements Question {}

  /** A map of keys that are known. */
  record Keys() implements Question {}

  /** A map whose keys the owner of the box chooses. */
  record FreeKeys() implements Question {}

  /** Whatever YAML can say. */
  record Anything() implements Question {}

  /** Is told each of them while a file is read. */
  interface Listener {
    /**
     * @param path as in {@code engines.vllm.drain}
     */
    void asked(String path, Question question);
  }
}
