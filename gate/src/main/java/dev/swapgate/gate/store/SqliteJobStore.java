package dev.swapgate.gate.store;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.core.NewJob;
import dev.swapgate.gate.core.StepTimes;
import dev.swapgate.gate.port.JobStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The store in one SQLite file of mode 0600. One process holds it at a time; what a call wrote is
 * on the disk when it returns, across kill -9 and (if the disk obeys) a power cut. After a full
 * disk it goes on as soon as there is room. Thread-safe; calls block on the disk.
 */
public final class SqliteJobStore implements JobStore {
  private final Database database;

  /**
   * Opens the file, or creates it with its folder (mode 0700).
   *
   * @throws JobStore.StoreException saying what is wrong with it and what to do; a damaged file is
   *     left as it is
   */
  public static SqliteJobStore open(Path file) {
    return open(file, Migrations.released());
  }

  static SqliteJobStore open(Path file, Migrations migrations) {
    return new SqliteJobStore(Database.open(file, migrations));
  }

  private SqliteJobStore(Database database) {
    this.database = database;
  }

  /** For tests that make the disk fail. */
  Database database() {
    return database;
  }

  @Override
  public List<Job> open() {
    return database.read("list the open jobs", JobTable::open);
  }

  @Override
  public List<Job> open(Backend.Id backend, int limit) {
    return database.read(
        "list the open jobs of " + backend, db -> JobTable.open(db, backend, limit));
  }

  @Override
  public List<Job> jobs(List<Job.State> states, int limit) {
    return database.read("list jobs", db -> JobTable.inStates(db, states, limit));
  }

  @Override
  public Optional<Job> job(Job.Id id) {
    return database.read("look up job " + id, db -> JobTable.byId(db, id));
  }

  @Override
  public Optional<Job> byKey(String idempotencyKey) {
    return database.read("look up a job by key", db -> JobTable.byKey(db, idempotencyKey));
  }

  @Override
  public Optional<JobRequest> request(Job.Id id) {
    return database.read("look up the request of job " + id, db -> JobTable.request(db, id));
  }

  @Override
  public List<Job> insertAll(List<NewJob> jobs, String idempotencyKey) {
    return database.write(
        "accept job " + jobs.getFirst().job().id(),
        db -> {
          Optional<Job> known = JobTable.byKey(db, idempotencyKey);
          if (known.isPresent()) {
            Optional<Job.Id> batch = known.get().terms().batch();
            return batch.isPresent() ? JobTable.inBatch(db, batch.get()) : List.of(known.get());
          }
          String key = idempotencyKey;
          for (NewJob one : jobs) {
            if (JobTable.byId(db, one.job().id()).isPresent()) {
              throw new IllegalArgumentException("job " + one.job().id() + " was accepted before");
            }
            JobTable.insert(db, one.job(), one.asked(), key);
            // The key finds the first one, and its batch the others.
            key = "";
          }
          return jobs.stream().map(NewJob::job).toList();
        });
  }

  @Override
  public List<Job> batch(Job.Id batch) {
    return database.read("list batch " + batch, db -> JobTable.inBatch(db, batch));
  }

  @Override
  public void update(Job job) {
    boolean known = database.write("update job " + job.id(), db -> JobTable.update(db, job));
    if (!known) {
      throw new StoreException("cannot update job " + job.id() + ": the store has no such job");
    }
  }

  @Override
  public List<StepTimes.Sample> stepTimes() {
    return database.read("read the learned times", SqliteHistory::stepTimes);
  }

  @Override
  public void addStepTime(StepTimes.Sample sample, Instant at) {
    writeAll("note a step's time", db -> SqliteHistory.addStepTime(db, sample, at));
  }

  @Override
  public Map<String, String> settings() {
    return database.read(
        "read the settings",
        db -> {
          Map<String, String> settings = new HashMap<>();
          Sql.rows(
              db,
              row -> settings.put(row.getString("name"), row.getString("value")),
              "SELECT name, value FROM setting");
          return Map.copyOf(settings);
        });
  }

  @Override
  public void put(String key, String value) {
    writeAll(
        "remember " + key,
        db -> {
          if (value.isEmpty()) {
            Sql.update(db, "DELETE FROM setting WHERE name = ?", key);
          } else {
            Sql.update(
                db,
                "INSERT INTO setting (name, value) VALUES (?, ?)"
                    + " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                key,
                value);
          }
        });
  }

  @Override
  public void addHistory(Instant at, String what, String backend, String job, String json) {
    HistoryLine line = new HistoryLine(at, what, backend, job, json);
    writeAll("note history", db -> SqliteHistory.add(db, line));
  }

  @Override
  public List<HistoryLine> history(int limit) {
    return database.read("read the history", db -> SqliteHistory.newest(db, limit));
  }

  @Override
  public void addSwap(Instant since, Instant until, String json) {
    writeAll("note a swap", db -> SqliteHistory.addSwap(db, since, until, json));
  }

  @Override
  public List<String> swaps(int limit) {
    return database.read("read the swaps", db -> SqliteHistory.newestSwaps(db, limit));
  }

  @Override
  public List<Job.Id> forgetBefore(Instant then) {
    return database.write(
        "forget old jobs",
        db -> {
          SqliteHistory.forgetBefore(db, then);
          return JobTable.forgetBefore(db, then);
        });
  }

  @Override
  public void close() {
    database.close();
  }

  /** Work that changes rows and gives nothing back. */
  private interface Change {
    void in(Connection connection) throws SQLException;
  }

  private void writeAll(String what, Change change) {
    database.write(
        what,
        db -> {
          change.in(db);
          return true;
        });
  }
}
