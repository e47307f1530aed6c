package dev.swapgate.gate.store;

import dev.swapgate.gate.port.JobStore.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;

/**
 * The one connection to the store's file, held exclusively for life: WAL, {@code synchronous=FULL},
 * one caller at a time. A write that returned is on the disk; one that threw left nothing behind,
 * and the next may succeed once the disk takes it. Thread-safe.
 */
final class Database implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Database.class);

  /** Older ones could corrupt a WAL file while it was reset (fixed in SQLite 3.51.3). */
  private static final List<Integer> OLDEST = List.of(3, 51, 3);

  /** SQLite's own default: 1000 pages of 4 KiB are written back at a time. */
  private static final long PAGES_KEPT_IN_WAL = 1000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Path file;
  private final Connection connection;
  private boolean syncFailed;
  private boolean closed;

  private Database(Path file, Connection connection) {
    this.file = file;
    this.connection = connection;
  }

  /** What is done with the connection. */
  interface Work<T> {
    T with(Connection connection) throws SQLException;
  }

  /**
   * Opens or creates the file, checks it, and brings it to the newest shape.
   *
   * @throws StoreException when it is held by another process, damaged, too new or unwritable
   */
  static Database open(Path file, Migrations migrations) {
    Connection connection = connect(file);
    Database database = new Database(file, connection);
    try {
      database.pragma("locking_mode = EXCLUSIVE");
      migrations.refuseForeign(connection, file);
      database.configure();
      database.check();
      migrations.apply(connection, file);
      return database;
    } catch (SQLException e) {
      StoreException seen = StoreTrouble.of("open it", file, e);
      database.closeAfter(seen);
      throw seen;
    } catch (RuntimeException e) {
      database.closeAfter(e);
      throw e;
    }
  }

  private static Connection connect(Path file) {
    try {
      StateFiles.createFolder(StateFiles.folderOf(file));
      StateFiles.createOrNarrow(file);
    } catch (IOException e) {
      throw new StoreException(
          "cannot create the store " + file + ": " + e + ". Make its folder writable", e);
    }
    try {
      // Nobody is waited for: who holds the file holds it for life.
      SQLiteConfig config = new SQLiteConfig();
      config.setBusyTimeout(0);
      return config.createConnection("jdbc:sqlite:" + file);
    } catch (SQLException e) {
      throw StoreTrouble.of("open it", file, e);
    }
  }

  private void configure() throws SQLException {
    String version =
        Sql.row(connection, row -> row.getString(1), "SELECT sqlite_version()").orElseThrow();
    if (!isAtLeast(version, OLDEST)) {
      throw new StoreException(
          "SQLite "
              + version
              + " is loaded; 3.51.3 or newer is needed, because older ones can corrupt the file."
              + " Remove the older sqlite-jdbc from the class path");
    }
    pragma("journal_mode = WAL");
    pragma("synchronous = FULL");
    pragma("foreign_keys = ON");
    pragma("secure_delete = ON");
    pragma("temp_store = MEMORY");
    pragma("trusted_schema = OFF");
    // Written back by us: SQLite's own turn swallows a failed fsync.
    pragma("wal_autocheckpoint = 0");
  }

  static boolean isAtLeast(String version, List<Integer> oldest) {
    String[] parts = version.split("\\.");
    for (int i = 0; i < oldest.size(); i++) {
      int part = i < parts.length ? Integer.parseInt(parts[i]) : 0;
      if (part != oldest.get(i)) {
        return part > oldest.get(i);
      }
    }
    return true;
  }

  private void check() throws SQLException {
    List<String> said = Sql.rows(connection, row -> row.getString(1), "PRAGMA quick_check(3)");
    if (!said.equals(List.of("ok"))) {
      throw StoreTrouble.damaged(file, String.join("; ", said), null);
    }
  }

  /** Sets or asks a pragma; the first column of the first row, or empty text. */
  String pragma(String pragma) throws SQLException {
    return Sql.row(connection, row -> String.valueOf(row.getString(1)), "PRAGMA " + pragma)
        .orElse("");
  }

  /**
   * @param what for the message: "cannot {what} (store …): …"
   */
  <T> T read(String what, Work<T> work) {
    lock.lock();
    try {
      refuseIfClosed(what);
      return work.with(connection);
    } catch (SQLException e) {
      throw StoreTrouble.of(what, file, e);
    } finally {
      lock.unlock();
    }
  }

  /** All of the work in one transaction that is on the disk when this returns. */
  <T> T write(String what, Work<T> work) {
    lock.lock();
    try {
      refuseIfClosed(what);
      refuseIfSyncFailed(what);
      T result = transaction(work);
      writeBack();
      return result;
    } catch (SQLException e) {
      syncFailed |= isFailedSync(e);
      throw StoreTrouble.of(what, file, e);
    } finally {
      lock.unlock();
    }
  }

  private <T> T transaction(Work<T> work) throws SQLException {
    Sql.update(connection, "BEGIN IMMEDIATE");
    try {
      T result = work.with(connection);
      Sql.update(connection, "COMMIT");
      return result;
    } catch (SQLException | RuntimeException e) {
      Sql.rollBack(connection, e);
      throw e;
    }
  }

  /** Moves what the WAL holds into the file; what was committed is safe in either. */
  private void writeBack() {
    try {
      List<Long> waiting =
          Sql.rows(
              connection, row -> row.getLong(2) - row.getLong(3), "PRAGMA wal_checkpoint(NOOP)");
      if (!waiting.isEmpty() && waiting.getFirst() >= PAGES_KEPT_IN_WAL) {
        pragma("wal_checkpoint(PASSIVE)");
      }
    } catch (SQLException e) {
      syncFailed |= isFailedSync(e);
      LOG.warn("store={} event=write_back_failed error=\"{}\"", file, e.getMessage());
    }
  }

  /**
   * After a failed fsync the kernel may have dropped the pages and call the next one a success:
   * going on as if nothing happened is how other databases lost committed data.
   */
  private static boolean isFailedSync(SQLException e) {
    int code = e.getErrorCode();
    return code == SQLiteErrorCode.SQLITE_IOERR_FSYNC.code
        || code == SQLiteErrorCode.SQLITE_IOERR_DIR_FSYNC.code;
  }

  private void refuseIfSyncFailed(String what) {
    if (syncFailed) {
      throw new StoreException(
          "cannot "
              + what
              + " (store "
              + file
              + "): the disk failed to sync it earlier, so nothing more is written to it. Check the"
              + " disk (dmesg), then restart swapgate");
    }
  }

  private void refuseIfClosed(String what) {
    if (closed) {
      throw new StoreException("cannot " + what + " (store " + file + "): it is closed");
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (!closed) {
        closed = true;
        connection.close();
      }
    } catch (SQLException e) {
      // Nothing is lost: what was committed lies in the WAL and is read at the next start.
      LOG.warn("store={} event=close_failed error=\"{}\"", file, e.getMessage());
    } finally {
      lock.unlock();
    }
  }

  private void closeAfter(Throwable cause) {
    try {
      connection.close();
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }
}
