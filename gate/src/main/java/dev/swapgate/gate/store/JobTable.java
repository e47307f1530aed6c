package dev.swapgate.gate.store;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.core.JobTerms;
import dev.swapgate.gate.core.Priority;
import dev.swapgate.gate.core.TimeWindow;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Jobs, what was asked of them and what they gave, as rows. */
final class JobTable {
  private static final String COLUMNS =
      "seq, id, backend, shape, state, attempts, ticket,"
          + " created, not_before, started, ended, error, priority, idle, hours, batch";
  private static final String FINAL = "('done', 'failed', 'cancelled')";

  private JobTable() {}

  static List<Job> open(Connection connection) throws SQLException {
    return jobs(connection, "WHERE state NOT IN " + FINAL + " ORDER BY seq");
  }

  static List<Job> open(Connection connection, Backend.Id backend, int limit) throws SQLException {
    return jobs(
        connection,
        "WHERE backend = ? AND state NOT IN " + FINAL + " ORDER BY seq DESC LIMIT ?",
        backend.value(),
        limit);
  }

  static List<Job> inStates(Connection connection, List<Job.State> states, int limit)
      throws SQLException {
    List<Object> values = new ArrayList<>();
    states.forEach(state -> values.add(word(state)));
    values.add(limit);
    String marks = String.join(", ", Collections.nCopies(states.size(), "?"));
    return jobs(
        connection,
        "WHERE state IN (" + marks + ") ORDER BY seq DESC LIMIT ?",
        values.toArray(Object[]::new));
  }

  static Optional<Job> byId(Connection connection, Job.Id id) throws SQLException {
    return jobs(connection, "WHERE id = ?", id.value()).stream().findFirst();
  }

  static Optional<Job> byKey(Connection connection, String key) throws SQLException {
    return jobs(connection, "WHERE idempotency_key = ?", key).stream().findFirst();
  }

  static List<Job> inBatch(Connection connection, Job.Id batch) throws SQLException {
    return jobs(connection, "WHERE batch = ? ORDER BY seq", batch.value());
  }

  static void insert(Connection connection, Job job, JobRequest request, String key)
      throws SQLException {
    Sql.update(
        connection,
        "INSERT INTO job (id, idempotency_key, backend, shape, state, attempts, ticket, created,"
            + " not_before, started, ended, error, priority, idle, hours, batch)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        job.id().value(),
        key.isEmpty() ? null : key,
        job.backend().value(),
        job.shape(),
        word(job.state()),
        job.attempts(),
        job.ticket().map(Job.Ticket::value).orElse(null),
        Sql.stamp(job.created()),
        Sql.stamp(job.when()),
        Sql.stamp(job.started()),
        Sql.stamp(job.ended()),
        job.error(),
        job.terms().priority().word(),
        job.terms().idle() ? 1 : 0,
        job.terms().window().map(TimeWindow::text).orElse(null),
        job.terms().batch().map(Job.Id::value).orElse(null));
    long seq = Sql.number(connection, "SELECT last_insert_rowid()");
    putFiles(connection, seq, job.files());
    putRequest(connection, seq, request);
  }

  /** False when there is no such job. */
  static boolean update(Connection connection, Job job) throws SQLException {
    Optional<Long> open =
        Sql.row(
            connection,
            row -> row.getLong(1),
            "SELECT seq FROM job WHERE id = ? AND state NOT IN " + FINAL,
            job.id().value());
    if (open.isEmpty()) {
      return Sql.number(connection, "SELECT count(*) FROM job WHERE id = ?", job.id().value()) > 0;
    }
    Sql.update(
        connection,
        "UPDATE job SET shape = ?, state = ?, attempts = ?, ticket = ?, not_before = ?,"
            + " started = ?, ended = ?, error = ? WHERE seq = ?",
        job.shape(),
        word(job.state()),
        job.attempts(),
        job.ticket().map(Job.Ticket::value).orElse(null),
        Sql.stamp(job.when()),
        Sql.stamp(job.started()),
        Sql.stamp(job.ended()),
        job.error(),
        open.get());
    Sql.update(connection, "DELETE FROM job_file WHERE job = ?", open.get());
    putFiles(connection, open.get(), job.files());
    return true;
  }

  static Optional<JobRequest> request(Connection connection, Job.Id id) throws SQLException {
    record Found(long seq, String json) {}
    Optional<Found> found =
        Sql.row(
            connection,
            row -> new Found(row.getLong("job"), row.getString("json")),
            "SELECT request.job, request.json FROM request JOIN job ON job.seq = request.job"
                + " WHERE job.id = ?",
            id.value());
    if (found.isEmpty()) {
      return Optional.empty();
    }
    long seq = found.get().seq();
    Map<String, String> set = new HashMap<>();
    Sql.rows(
        connection,
        row -> set.put(row.getString("name"), row.getString("value")),
        "SELECT name, value FROM request_set WHERE job = ?",
        seq);
    List<JobRequest.Attachment> attachments =
        Sql.rows(
            connection,
            row -> new JobRequest.Attachment(row.getString("name"), row.getString("path")),
            "SELECT name, path FROM request_attachment WHERE job = ? ORDER BY n",
            seq);
    return Optional.of(new JobRequest(found.get().json(), set, attachments));
  }

  /** Forgets jobs that ended before then; their requests and files' names go with them. */
  static List<Job.Id> forgetBefore(Connection connection, Instant then) throws SQLException {
    return Sql.rows(
        connection,
        row -> new Job.Id(row.getString(1)),
        "DELETE FROM job WHERE state IN " + FINAL + " AND ended < ? RETURNING id",
        Sql.stamp(then));
  }

  private static void putFiles(Connection connection, long seq, List<String> files)
      throws SQLException {
    for (int n = 0; n < files.size(); n++) {
      Sql.update(
          connection, "INSERT INTO job_file (job, n, name) VALUES (?, ?, ?)", seq, n, files.get(n));
    }
  }

  private static void putRequest(Connection connection, long seq, JobRequest request)
      throws SQLException {
    Sql.update(connection, "INSERT INTO request (job, json) VALUES (?, ?)", seq, request.json());
    for (Map.Entry<String, String> entry : request.set().entrySet()) {
      Sql.update(
          connection,
          "INSERT INTO request_set (job, name, value) VALUES (?, ?, ?)",
          seq,
          entry.getKey(),
          entry.getValue());
    }
    List<JobRequest.Attachment> attachments = request.attachments();
    for (int n = 0; n < attachments.size(); n++) {
      Sql.update(
          connection,
          "INSERT INTO request_attachment (job, n, name, path) VALUES (?, ?, ?, ?)",
          seq,
          n,
          attachments.get(n).name(),
          attachments.get(n).path());
    }
  }

  private static List<Job> jobs(Connection connection, String where, Object... values)
      throws SQLException {
    return Sql.rows(
        connection,
        row -> job(connection, row),
        "SELECT " + COLUMNS + " FROM job " + where,
        values);
  }

  private static Job job(Connection connection, ResultSet row) throws SQLException {
    List<String> files =
        Sql.rows(
            connection,
            file -> file.getString(1),
            "SELECT name FROM job_file WHERE job = ? ORDER BY n",
            row.getLong("seq"));
    return new Job(
        new Job.Id(row.getString("id")),
        new Backend.Id(row.getString("backend")),
        row.getString("shape"),
        Job.State.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
        row.getInt("attempts"),
        Optional.ofNullable(row.getString("ticket")).map(Job.Ticket::new),
        Sql.instant(row, "created"),
        Sql.maybeInstant(row, "not_before"),
        Sql.maybeInstant(row, "started"),
        Sql.maybeInstant(row, "ended"),
        row.getString("error"),
        files,
        terms(row));
  }

  private static JobTerms terms(ResultSet row) throws SQLException {
    return new JobTerms(
        Priority.of(row.getString("priority")).orElse(Priority.NORMAL),
        row.getInt("idle") != 0,
        // It was written with its zone, so this one is never used.
        Optional.ofNullable(row.getString("hours"))
            .flatMap(text -> TimeWindow.parse(text, ZoneOffset.UTC)),
        Optional.ofNullable(row.getString("batch")).map(Job.Id::new));
  }

  private static String word(Job.State state) {
    return state.name().toLowerCase(Locale.ROOT);
  }
}
