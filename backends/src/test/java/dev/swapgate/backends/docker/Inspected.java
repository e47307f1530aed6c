package dev.swapgate.backends.docker;

/** Docker's answers to an inspect, cut down to what is read of them. */
final class Inspected {
  static final String ID = "0123456789abcdef".repeat(4);
  static final String STARTED = "2026-11-30T01:02:03.456789Z";

  private Inspected() {}

  static String running(String name) {
    return running(name, ID);
  }

  static String running(String name, String id) {
    return ScriptedSocket.answer("200 OK", json(name, id, RUNNING));
  }

  static final String RUNNING =
      "\"Status\":\"running\",\"Running\":true,\"Paused\":false,\"Restarting\":false,"
          + "\"OOMKilled\":false,\"Dead\":false,\"Pid\":4711,\"ExitCode\":0,\"StartedAt\":\""
          + STARTED
          + "\"";

  static String json(String name, String id, String state) {
    return json(name, id, state, "\"StopTimeout\":60,\"Image\":\"i\"", "\"AutoRemove\":false");
  }

  static String json(String name, String id, String state, String config, String hostConfig) {
    return "{\"Id\":\""
        + id
        + "\",\"Name\":\"/"
        + name
        + "\",\"State\":{"
        + state
        + "},"
        + "\"Config\":{"
        + config
        + "},\"HostConfig\":{"
        + hostConfig
        + "}}";
  }
}
