package dev.swapgate.gate.store;

import dev.swapgate.gate.port.JobStore.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * The shapes the store's file has had, oldest first. The file says in {@code user_version} which
 * one it has; whatever is missing is applied at start, each step in one transaction, after a copy
 * of the file was made. A shape that was released is never edited: a change is one more step.
 */
final class Migrations {

  /** "swgt": tells our file from somebody else's. */
  static final int APPLICATION_ID = 0x73776774;

  private static final List<String> FIRST =
      List.of(
          """
          CREATE TABLE job (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            idempotency_key TEXT UNIQUE,
            backend TEXT NOT NULL,
            shape TEXT NOT NULL,
            state TEXT NOT NULL
              CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
            attempts INTEGER NOT NULL,
            ticket TEXT,
            created TEXT NOT NULL,
            not_before TEXT,
            started TEXT,
            ended TEXT,
            error TEXT NOT NULL
          ) STRICT
          """,
          "CREATE INDEX job_state ON job (state, seq)",
          // The last line of defence: whoever writes, a final state never changes.
          """
          CREATE TRIGGER job_final BEFORE UPDATE ON job
          WHEN OLD.state IN ('done', 'failed', 'cancelled')
          BEGIN SELECT RAISE(ABORT, 'a final state never changes'); END
          """,
          """
          CREATE TABLE job_file (
            job INTEGER NOT NULL REFERENCES job (seq) ON DELETE CASCADE,
            n INTEGER NOT NULL,
            name TEXT NOT NULL,
            PRIMARY KEY (job, n)
          ) STRICT, WITHOUT ROWID
          """,
          """
          CREATE TABLE request (
            job INTEGER PRIMARY KEY REFERENCES job (seq) ON DELETE CASCADE,
            json TEXT NOT NULL
          ) STRICT
          """,
          """
          CREATE TABLE request_set (
            job INTEGER NOT NULL REFERENCES request (job) ON DELETE CASCADE,
            name TEXT NOT NULL,
            value TEXT NOT NULL,
            PRIMARY KEY (job, name)
          ) STRICT, WITHOUT ROWID
          """,
          """
          CREATE TABLE request_attachment (
            job INTEGER NOT NULL REFERENCES request (job) ON DELETE CASCADE,
            n INTEGER NOT NULL,
            name TEXT NOT NULL,
            path TEXT NOT NULL,
            PRIMARY KEY (job, n)
          ) STRICT, WITHOUT ROWID
          """,
          """
          CREATE TABLE step_time (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            step TEXT NOT NULL,
            backend TEXT NOT NULL,
            shape TEXT NOT NULL,
            took_nanos INTEGER NOT NULL,
            at TEXT NOT NULL
          ) STRICT
          """,
          "CREATE INDEX step_time_key ON step_time (step, backend, shape, seq)",
          """
          CREATE TABLE setting (
            name TEXT PRIMARY KEY,
            value TEXT NOT NULL
          ) STRICT, WITHOUT ROWID
          """,
          """
          CREATE TABLE history (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            at TEXT NOT NULL,
            what TEXT NOT NULL,
            backend TEXT NOT NULL,
            job TEXT NOT NULL,
            json TEXT NOT NULL
          ) STRICT
          """,
          "CREATE INDEX history_at ON history (at)");

  private static final List<String> SWAPS =
      List.of(
          """
          CREATE TABLE swap (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            since TEXT NOT NULL,
            until TEXT NOT NULL,
            json TEXT NOT NULL
          ) STRICT
          """,
          "CREATE INDEX swap_until ON swap (until)");

  /** On what terms a job was handed in: its hurry, its hours, and what came with it. */
  private static final List<String> TERMS =
      List.of(
          "ALTER TABLE job ADD COLUMN priority TEXT NOT NULL DEFAULT 'normal'"
              + " CHECK (priority IN ('high', 'normal', 'low'))",
          "ALTER TABLE job ADD COLUMN idle INTEGER NOT NULL DEFAULT 0",
          "ALTER TABLE job ADD COLUMN hours TEXT",
          "ALTER TABLE job ADD COLUMN batch TEXT",
          "CREATE INDEX job_batch ON job (batch, seq) WHERE batch IS NOT NULL");

  private final List<List<String>> steps;

  /**
   * @param steps the statements of each step; the n-th leads to version n
   */
  Migrations(List<List<String>> steps) {
    this.steps = steps;
  }

  /** All that were ever released. */
  static Migrations released() {
    return new Migrations(List.of(FIRST, SWAPS, TERMS));
  }

  /** Throws before anything is changed when the file is another program's or a newer swapgate's. */
  void refuseForeign(Connection connection, Path file) throws SQLException {
    long version = Sql.number(connection, "PRAGMA user_version");
    if (version > steps.size()) {
      throw new StoreException(
          StoreException.Kind.TOO_NEW,
          "the store "
              + file
              + " has schema version "
              + version
              + "; this swapgate knows versions up to "
              + steps.size()
              + ". A newer swapgate wrote it: run that one, or put back the copy it made before"
              + " its migration ("
              + file.getFileName()
              + ".before-v…)");
    }
    boolean blank =
        version == 0 && Sql.number(connection, "SELECT count(*) FROM sqlite_schema") == 0;
    long application = Sql.number(connection, "PRAGMA application_id");
    if (!blank && application != APPLICATION_ID) {
      throw new StoreException(
          StoreException.Kind.DAMAGED,
          "the file "
              + file
              + " is a SQLite database, but not swapgate's (application_id "
              + application
              + "). Move it aside or set another state_dir");
    }
  }

  /** Brings the file to the newest shape. Nothing happens when it has it. */
  void apply(Connection connection, Path file) throws SQLException {
    int version = (int) Sql.number(connection, "PRAGMA user_version");
    if (version > 0 && version < steps.size()) {
      backUp(connection, file, version + 1);
    }
    for (int next = version + 1; next <= steps.size(); next++) {
      Sql.update(connection, "BEGIN IMMEDIATE");
      try {
        for (String statement : steps.get(next - 1)) {
          Sql.update(connection, statement);
        }
        Sql.update(connection, "PRAGMA application_id = " + APPLICATION_ID);
        Sql.update(connection, "PRAGMA user_version = " + next);
        Sql.update(connection, "COMMIT");
      } catch (SQLException e) {
        Sql.rollBack(connection, e);
        throw e;
      }
    }
  }

  private static void backUp(Connection connection, Path file, int next) throws SQLException {
    Path copy = file.resolveSibling(file.getFileName() + ".before-v" + next);
    Path half = file.resolveSibling(copy.getFileName() + ".part");
    try {
      Files.deleteIfExists(half);
      StateFiles.create(half);
      Sql.update(connection, "VACUUM INTO ?", half.toString());
      try (FileChannel channel = FileChannel.open(half, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
      Files.move(half, copy, StandardCopyOption.ATOMIC_MOVE);
      StateFiles.sync(StateFiles.folderOf(copy));
    } catch (IOException e) {
      throw new StoreException(
          "cannot copy the store "
              + file
              + " to "
              + copy
              + " before its migration: "
              + e
              + ". Nothing was changed. Make room for a second copy and start again",
          e);
    }
  }
}
