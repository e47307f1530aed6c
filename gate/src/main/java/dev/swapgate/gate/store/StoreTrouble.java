package dev.swapgate.gate.store;

import dev.swapgate.gate.port.JobStore.StoreException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;

/** Turns what SQLite said into what a person can act on. */
final class StoreTrouble {
  /** SQLite's extended codes carry the plain one in their lowest byte. */
  private static final int PLAIN = 0xFF;

  private StoreTrouble() {}

  /**
   * @param what "cannot {what}"
   */
  static StoreException of(String what, Path file, SQLException seen) {
    SQLiteErrorCode code = SQLiteErrorCode.getErrorCode(seen.getErrorCode() & PLAIN);
    String tried = "cannot " + what + " (store " + file + "): ";
    return switch (code) {
      case SQLITE_BUSY, SQLITE_LOCKED ->
          new StoreException(
              StoreException.Kind.IN_USE,
              tried
                  + "another process holds it. A second swapgate seems to run on this state_dir:"
                  + " stop it, or give this one a state_dir of its own",
              seen);
      case SQLITE_CORRUPT, SQLITE_NOTADB -> damaged(file, String.valueOf(seen.getMessage()), seen);
      case SQLITE_FULL ->
          new StoreException(
              tried
                  + "the disk is full. Nothing was changed. Free some space on it; writing works"
                  + " again as soon as there is room",
              seen);
      case SQLITE_READONLY, SQLITE_PERM, SQLITE_CANTOPEN ->
          new StoreException(
              tried
                  + "it cannot be written ("
                  + seen.getMessage()
                  + "). Mount the disk for writing and let swapgate's user own the file and its"
                  + " folder",
              seen);
      default ->
          new StoreException(
              tried + seen.getMessage() + ". Check the disk (dmesg) and the folder's owner", seen);
    };
  }

  static StoreException damaged(Path file, String seen, @Nullable SQLException cause) {
    String message =
        "the store "
            + file
            + " is damaged: "
            + seen
            + ". It was left as it is. Move it aside with its WAL (mv "
            + file
            + " "
            + file
            + ".damaged; mv "
            + file
            + "-wal "
            + file
            + ".damaged-wal) and start again with an empty one, or put back a copy; queued jobs in"
            + " it may be saved with: sqlite3 "
            + file
            + ".damaged .recover";
    return cause == null
        ? new StoreException(StoreException.Kind.DAMAGED, message)
        : new StoreException(StoreException.Kind.DAMAGED, message, cause);
  }
}
