package dev.swapgate.proxy.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/** The state folder, ours alone: two gates on one box would both command its containers. */
final class StateLock {
  private StateLock() {}

  /**
   * Makes the folder if it is not there, and takes it until the lock is closed.
   *
   * @throws StartException when it cannot be used, or another swapgate has it
   */
  static LockFile take(Path stateDir) {
    Path file = stateDir.resolve("lock");
    try {
      createPrivately(stateDir);
      return LockFile.take(file, "rw-------", stateDir)
          .orElseThrow(() -> taken(stateDir, LockFile.holder(file)));
    } catch (IOException e) {
      throw unusable(stateDir, e);
    }
  }

  private static void createPrivately(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
  }

  private static StartException taken(Path stateDir, Optional<LockFile.Holder> holder) {
    return new StartException(
        StartException.UNAVAILABLE,
        "another swapgate"
            + holder
                .map(LockFile.Holder::pid)
                .filter(pid -> !pid.isEmpty())
                .map(pid -> " (process " + pid + ")")
                .orElse("")
            + " uses the state folder "
            + stateDir
            + "; stop that one, or give this one a state_dir of its own");
  }

  private static StartException unusable(Path stateDir, IOException e) {
    return new StartException(
        StartException.BAD_CONFIGURATION,
        "the state folder "
            + stateDir
            + " cannot be made or written ("
            + e
            + "); let it belong to the user that runs swapgate, or name another one under"
            + " state_dir",
        e);
  }
}
