package dev.swapgate.proxy.config;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The bytes of a configuration file, before anything is made of them. */
final class ConfigFile {

  /** A file larger than this is refused unread; the commented example has a tenth of it. */
  static final int MAX_BYTES = 256 * 1024;

  private ConfigFile() {}

  /** Its text; empty, and told as a problem, when it cannot be had. */
  static String text(Path file, Problems problems) {
    try {
      if (!Files.isRegularFile(file)) {
        problems.add(0, "", "there is no such file");
        return "";
      }
      if (Files.size(file) > MAX_BYTES) {
        problems.add(0, "", "is " + Files.size(file) / 1024 + " KiB; at most 256 KiB are read");
        return "";
      }
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
          .toString();
    } catch (CharacterCodingException e) {
      problems.add(0, "", "is not UTF-8 text; save it as UTF-8");
    } catch (IOException e) {
      problems.add(
          0, "", "cannot be read (" + e.getClass().getSimpleName() + "); check its rights");
    }
    return "";
  }
}
