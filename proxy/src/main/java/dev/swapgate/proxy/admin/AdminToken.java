package dev.swapgate.proxy.admin;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The secret of the admin API: a file that only its owner may read. */
public final class AdminToken {
  private static final Logger LOG = LoggerFactory.getLogger(AdminToken.class);
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  /** Below this a token could be guessed. */
  private static final int SHORTEST = 16;

  private AdminToken() {}

  /**
   * Reads the token; makes one of 256 random bits when the file is not there.
   *
   * @throws IOException when the file cannot be made or read, or holds no usable token
   */
  public static String readOrCreate(Path file) throws IOException {
    try {
      create(file);
    } catch (FileAlreadyExistsException e) {
      narrow(file);
    }
    String token = Files.readString(file, StandardCharsets.US_ASCII).strip();
    if (token.length() < SHORTEST || !token.matches("[\\x21-\\x7e]+")) {
      throw new IOException(
          file
              + " holds no usable token (at least "
              + SHORTEST
              + " printable characters); remove it and a new one is made");
    }
    return token;
  }

  private static void create(Path file) throws IOException {
    byte[] bits = new byte[32];
    new SecureRandom().nextBytes(bits);
    String token = Base64.getUrlEncoder().withoutPadding().encodeToString(bits);
    try (FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(OWNER_ONLY))) {
      channel.write(ByteBuffer.wrap((token + "\n").getBytes(StandardCharsets.US_ASCII)));
      channel.force(true);
    }
  }

  private static void narrow(Path file) throws IOException {
    if (!OWNER_ONLY.containsAll(Files.getPosixFilePermissions(file))) {
      Files.setPosixFilePermissions(file, OWNER_ONLY);
      LOG.warn("the admin token could be read by others and is narrowed to 0600 file={}", file);
    }
  }
}
