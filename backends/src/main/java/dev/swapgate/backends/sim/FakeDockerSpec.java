package dev.swapgate.backends.sim;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How a container was made: the body of the create request, with defaults filled in.
 *
 * @param entrypoint what its image would run, put before its command
 */
record FakeDockerSpec(
    Map<String, Object> config,
    Map<String, Object> hostConfig,
    List<String> entrypoint,
    Instant created) {

  /** Signal numbers on Linux; another name stands for itself. */
  private static final Map<String, String> NUMBERS =
      Map.of("KILL", "9", "TERM", "15", "INT", "2", "QUIT", "3", "HUP", "1", "USR1", "10");

  private static final long DEFAULT_STOP_TIMEOUT_SECONDS = 10;

  /**
   * @param entrypoints per image, for containers that name none of their own
   */
  static FakeDockerSpec of(Map<String, Object> body, Map<String, List<String>> entrypoints) {
    Map<String, Object> config = new LinkedHashMap<>(body);
    Map<String, Object> host = new LinkedHashMap<>();
    host.put("NetworkMode", "default");
    host.put("RestartPolicy", Map.of("Name", "no", "MaximumRetryCount", 0));
    host.put("AutoRemove", false);
    host.put("PidMode", "");
    host.put("IpcMode", "private");
    if (config.remove("HostConfig") instanceof Map<?, ?> given) {
      given.forEach((key, value) -> host.put(String.valueOf(key), value));
    }
    config.remove("NetworkingConfig");
    List<String> own = words(config.get("Entrypoint"));
    List<String> entrypoint =
        own.isEmpty()
            ? entrypoints.getOrDefault(String.valueOf(config.get("Image")), List.of())
            : own;
    return new FakeDockerSpec(config, host, entrypoint, Instant.now());
  }

  List<String> command() {
    List<String> command = new ArrayList<>(entrypoint);
    command.addAll(words(config.get("Cmd")));
    return command;
  }

  /** As in a container, little is inherited: where programs are found, and who we are. */
  Map<String, String> environment(String id) {
    Map<String, String> environment = new TreeMap<>();
    for (String inherited : List.of("PATH", "HOME", "JAVA_HOME", "LANG", "TMPDIR")) {
      String value = System.getenv(inherited);
      if (value != null) {
        environment.put(inherited, value);
      }
    }
    environment.put("HOSTNAME", id.substring(0, 12));
    environment.put("SIM_CONTAINER_ID", id);
    for (String pair : words(config.get("Env"))) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        environment.put(pair.substring(0, equals), pair.substring(equals + 1));
      }
    }
    return environment;
  }

  String folder() {
    Object folder = config.get("WorkingDir");
    return folder == null || folder.toString().isEmpty() ? "." : folder.toString();
  }

  String image() {
    return config.get("Image") instanceof String image ? image : "";
  }

  int stopTimeoutSeconds() {
    Object seconds = config.getOrDefault("StopTimeout", DEFAULT_STOP_TIMEOUT_SECONDS);
    return ((Number) seconds).intValue();
  }

  /** Without SIG. */
  String stopSignal() {
    Object signal = config.getOrDefault("StopSignal", "SIGTERM");
    return signal.toString().replaceFirst("^SIG", "");
  }

  Map<String, String> labels() {
    Map<String, String> labels = new TreeMap<>();
    if (config.get("Labels") instanceof Map<?, ?> given) {
      given.forEach((key, value) -> labels.put(String.valueOf(key), String.valueOf(value)));
    }
    return labels;
  }

  /** As Docker's events tell it. */
  static String signalNumber(String bareName) {
    return NUMBERS.getOrDefault(bareName, bareName);
  }

  private static List<String> words(@Nullable Object list) {
    List<String> words = new ArrayList<>();
    if (list instanceof List<?> items) {
      items.forEach(item -> words.add(String.valueOf(item)));
    } else if (list instanceof String one) {
      words.add(one);
    }
    return words;
  }
}
