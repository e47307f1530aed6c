package dev.swapgate.gate.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One statement at a time: values bound, rows read, everything closed. */
final class Sql {

  /** Of one width, so that text sorts as time does; readable in the {@code sqlite3} shell. */
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.nnnnnnnnn'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private Sql() {}

  /** How one row becomes a value. */
  interface Row<T> {
    T of(ResultSet row) throws SQLException;
  }

  /** Runs a statement that gives no rows; the answer is how many rows it changed. */
  static int update(Connection connection, String sql, @Nullable Object... values)
      throws SQLException {
    try (PreparedStatement statement = bound(connection, sql, values)) {
      return statement.execute() ? 0 : statement.getUpdateCount();
    }
  }

  static <T> List<T> rows(Connection connection, Row<T> row, String sql, @Nullable Object... values)
      throws SQLException {
    List<T> rows = new ArrayList<>();
    try (PreparedStatement statement = bound(connection, sql, values)) {
      // Some pragmas answer with rows only now and then.
      if (statement.execute()) {
        try (ResultSet result = statement.getResultSet()) {
          while (result.next()) {
            rows.add(row.of(result));
          }
        }
      }
    }
    return rows;
  }

  static <T> Optional<T> row(
      Connection connection, Row<T> row, String sql, @Nullable Object... values)
      throws SQLException {
    return rows(connection, row, sql, values).stream().findFirst();
  }

  /** The one number that a statement gives. */
  static long number(Connection connection, String sql, @Nullable Object... values)
      throws SQLException {
    return row(connection, found -> found.getLong(1), sql, values)
        .orElseThrow(() -> new SQLException("no row from: " + sql));
  }

  /** Undoes what was begun; trouble in doing so is kept beside its cause. */
  static void rollBack(Connection connection, Throwable cause) {
    try {
      update(connection, "ROLLBACK");
    } catch (SQLException e) {
      // After a full disk SQLite has rolled back by itself and says that there is nothing to undo.
      cause.addSuppressed(e);
    }
  }

  static String stamp(Instant at) {
    return STAMP.format(at);
  }

  static @Nullable String stamp(Optional<Instant> at) {
    return at.map(STAMP::format).orElse(null);
  }

  static Instant instant(ResultSet row, String column) throws SQLException {
    return Instant.parse(row.getString(column));
  }

  static Optional<Instant> maybeInstant(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getString(column)).map(Instant::parse);
  }

  private static PreparedStatement bound(
      Connection connection, String sql, @Nullable Object... values) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    try {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      return statement;
    } catch (SQLException e) {
      statement.close();
      throw e;
    }
  }
}
