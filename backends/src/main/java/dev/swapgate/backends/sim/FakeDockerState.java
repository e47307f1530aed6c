package dev.swapgate.backends.sim;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** What Docker calls the state of a container. */
record FakeDockerState(
    String status, long pid, int exitCode, String error, Instant startedAt, Instant finishedAt) {

  /** How Docker writes "never". */
  private static final Instant NEVER = Instant.parse("0001-01-01T00:00:00Z");

  static final FakeDockerState CREATED = new FakeDockerState("created", 0, 0, "", NEVER, NEVER);

  FakeDockerState running(long newPid, Instant at) {
    return new FakeDockerState("running", newPid, 0, "", at, finishedAt);
  }

  FakeDockerState exited(int code, Instant at) {
    return new FakeDockerState("exited", 0, code, "", startedAt, at);
  }

  FakeDockerState failed(int code, String why) {
    return new FakeDockerState(status, 0, code, why, startedAt, finishedAt);
  }

  FakeDockerState paused(boolean now) {
    return new FakeDockerState(
        now ? "paused" : "running", pid, exitCode, error, startedAt, finishedAt);
  }

  boolean paused() {
    return status.equals("paused");
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("Status", status);
    json.put("Running", pid != 0);
    json.put("Paused", paused());
    json.put("Restarting", false);
    json.put("OOMKilled", false);
    json.put("Dead", false);
    json.put("Pid", pid);
    json.put("ExitCode", exitCode);
    json.put("Error", error);
    json.put("StartedAt", startedAt.toString());
    json.put("FinishedAt", finishedAt.toString());
    return json;
  }
}
