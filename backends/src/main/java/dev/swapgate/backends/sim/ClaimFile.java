package dev.swapgate.backends.sim;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A claim as it lies on disk: {@code claim-<MiB>-<key>} while its owner may live, {@code
 * dead-<MiB>-<since>-<key>} from when it was first seen dead.
 *
 * @param deadSinceMillis wall time at which the owner was first seen dead; 0 while it may live
 */
record ClaimFile(Path path, int mib, long deadSinceMillis, String key) {
  private static final Pattern LIVE = Pattern.compile("claim-(\\d+)-(.+)");
  private static final Pattern DEAD = Pattern.compile("dead-(\\d+)-(\\d+)-(.+)");

  static ClaimFile live(Path directory, int mib, String key) {
    return new ClaimFile(directory.resolve("claim-" + mib + "-" + key), mib, 0, key);
  }

  static Optional<ClaimFile> parse(Path path) {
    String name = path.getFileName().toString();
    Matcher live = LIVE.matcher(name);
    if (live.matches()) {
      return Optional.of(new ClaimFile(path, Integer.parseInt(live.group(1)), 0, live.group(2)));
    }
    Matcher dead = DEAD.matcher(name);
    if (dead.matches()) {
      return Optional.of(
          new ClaimFile(
              path, Integer.parseInt(dead.group(1)), Long.parseLong(dead.group(2)), dead.group(3)));
    }
    return Optional.empty();
  }

  boolean dead() {
    return deadSinceMillis > 0;
  }

  ClaimFile dying(long nowMillis) {
    Path grave = path.resolveSibling("dead-" + mib + "-" + nowMillis + "-" + key);
    return moved(new ClaimFile(grave, mib, nowMillis, key));
  }

  /** The lock stays with the file through a rename. */
  ClaimFile resized(int newMib) {
    return moved(live(path.resolveSibling(""), newMib, key));
  }

  private ClaimFile moved(ClaimFile target) {
    try {
      Files.move(path, target.path);
      return target;
    } catch (IOException e) {
      throw new CardException("could not rename the claim " + path + " to " + target.path, e);
    }
  }

  void delete() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new CardException("could not delete the claim " + path, e);
    }
  }

  Holder holder() {
    try {
      return Holder.parse(Files.readString(path));
    } catch (IOException e) {
      throw new CardException("could not read the claim " + path, e);
    }
  }

  /**
   * Whether nobody holds the lock. Never asked of a claim of this process: closing this second
   * handle would give up its lock.
   */
  boolean lockCanBeTaken() {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      return lock != null;
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      throw new CardException("could not try the lock of the claim " + path, e);
    }
  }
}
