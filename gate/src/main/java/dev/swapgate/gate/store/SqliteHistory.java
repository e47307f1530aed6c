package dev.swapgate.gate.store;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.StepTimes;
import dev.swapgate.gate.port.JobStore.HistoryLine;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** What happened and how long it took, as rows; both bounded. */
final class SqliteHistory {
  /** Lines of history kept, whatever their age: some 5 MB. */
  static final int LINES_KEPT = 20_000;

  /** Swaps kept, whatever their age: some 10 MB, one an hour for half a year. */
  static final int SWAPS_KEPT = 5_000;

  /** Samples kept in all: 500 steps and workflow shapes; the oldest go first. */
  static final int SAMPLES_KEPT = 500 * StepTimes.KEPT;

  private SqliteHistory() {}

  static List<StepTimes.Sample> stepTimes(Connection connection) throws SQLException {
    return Sql.rows(
        connection,
        row ->
            new StepTimes.Sample(
                new StepTimes.Key(
                    StepTimes.Step.valueOf(row.getString("step").toUpperCase(Locale.ROOT)),
                    new Backend.Id(row.getString("backend")),
                    row.getString("shape")),
                Duration.ofNanos(row.getLong("took_nanos"))),
        "SELECT step, backend, shape, took_nanos FROM step_time ORDER BY seq");
  }

  static void addStepTime(Connection connection, StepTimes.Sample sample, Instant at)
      throws SQLException {
    String step = sample.key().step().name().toLowerCase(Locale.ROOT);
    String backend = sample.key().backend().value();
    String shape = sample.key().shape();
    Sql.update(
        connection,
        "INSERT INTO step_time (step, backend, shape, took_nanos, at) VALUES (?, ?, ?, ?, ?)",
        step,
        backend,
        shape,
        sample.took().toNanos(),
        Sql.stamp(at));
    Sql.update(
        connection,
        "DELETE FROM step_time WHERE seq IN (SELECT seq FROM step_time WHERE step = ? AND backend ="
            + " ? AND shape = ? ORDER BY seq DESC LIMIT -1 OFFSET ?)",
        step,
        backend,
        shape,
        StepTimes.KEPT);
    Sql.update(
        connection,
        "DELETE FROM step_time WHERE seq IN (SELECT seq FROM step_time ORDER BY seq DESC LIMIT -1"
            + " OFFSET ?)",
        SAMPLES_KEPT);
  }

  static void add(Connection connection, HistoryLine line) throws SQLException {
    Sql.update(
        connection,
        "INSERT INTO history (at, what, backend, job, json) VALUES (?, ?, ?, ?, ?)",
        Sql.stamp(line.at()),
        line.what(),
        line.backend(),
        line.job(),
        line.json());
    Sql.update(
        connection,
        "DELETE FROM history WHERE seq <= (SELECT max(seq) FROM history) - ?",
        LINES_KEPT);
  }

  static List<HistoryLine> newest(Connection connection, int limit) throws SQLException {
    return Sql.rows(
        connection,
        row ->
            new HistoryLine(
                Sql.instant(row, "at"),
                row.getString("what"),
                row.getString("backend"),
                row.getString("job"),
                row.getString("json")),
        "SELECT at, what, backend, job, json FROM history ORDER BY seq DESC LIMIT ?",
        limit);
  }

  static void addSwap(Connection connection, Instant since, Instant until, String json)
      throws SQLException {
    Sql.update(
        connection,
        "INSERT INTO swap (since, until, json) VALUES (?, ?, ?)",
        Sql.stamp(since),
        Sql.stamp(until),
        json);
    Sql.update(
        connection, "DELETE FROM swap WHERE seq <= (SELECT max(seq) FROM swap) - ?", SWAPS_KEPT);
  }

  static List<String> newestSwaps(Connection connection, int limit) throws SQLException {
    return Sql.rows(
        connection,
        row -> row.getString("json"),
        "SELECT json FROM swap ORDER BY seq DESC LIMIT ?",
        limit);
  }

  static void forgetBefore(Connection connection, Instant then) throws SQLException {
    Sql.update(connection, "DELETE FROM swap WHERE until < ?", Sql.stamp(then));
    Sql.update(connection, "DELETE FROM history WHERE at < ?", Sql.stamp(then));
  }
}
