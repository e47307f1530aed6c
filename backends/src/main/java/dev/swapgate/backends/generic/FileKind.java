package dev.swapgate.backends.generic;

import static java.util.Map.entry;

import java.util.Map;

/** What a file is called at its end, by the type a server gives it. */
final class FileKind {
  private static final Map<String, String> EXTENSIONS =
      Map.ofEntries(
          entry("audio/mpeg", "mp3"),
          entry("audio/mp3", "mp3"),
          entry("audio/wav", "wav"),
          entry("audio/x-wav", "wav"),
          entry("audio/wave", "wav"),
          entry("audio/flac", "flac"),
          entry("audio/ogg", "ogg"),
          entry("audio/opus", "opus"),
          entry("audio/aac", "aac"),
          entry("audio/pcm", "pcm"),
          entry("image/png", "png"),
          entry("image/jpeg", "jpg"),
          entry("image/webp", "webp"),
          entry("image/gif", "gif"),
          entry("video/mp4", "mp4"),
          entry("video/webm", "webm"),
          entry("application/json", "json"),
          entry("application/zip", "zip"),
          entry("application/x-subrip", "srt"),
          entry("text/plain", "txt"),
          entry("text/vtt", "vtt"),
          entry("text/srt", "srt"));

  private FileKind() {}

  /** Without a dot; {@code bin} for a type that is not known. */
  static String extension(String contentType) {
    return EXTENSIONS.getOrDefault(contentType.split(";", 2)[0].strip(), "bin");
  }
}
