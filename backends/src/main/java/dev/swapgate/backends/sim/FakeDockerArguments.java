package dev.swapgate.backends.sim;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What {@link FakeDockerApi} is told when it runs alone.
 *
 * @param entrypoints per image, what its containers run before their own command
 */
record FakeDockerArguments(
    Path socket, Map<String, List<String>> entrypoints, List<Container> containers) {
  static final String USAGE =
      """
      usage: FakeDockerApi --socket PATH
               [--image 'NAME=PROGRAM ARGUMENT...']...
               [--container 'NAME IMAGE ARGUMENT... VARIABLE=VALUE...']...
      """;

  /** A container that is there from the beginning, not started. */
  record Container(String name, String image, List<String> command, List<String> environment) {
    Map<String, Object> body() {
      return Map.of("Image", image, "Cmd", command, "Env", environment);
    }
  }

  /** Empty when they cannot be understood. */
  static Optional<FakeDockerArguments> parse(String... arguments) {
    List<Path> sockets = new ArrayList<>();
    Map<String, List<String>> entrypoints = new HashMap<>();
    List<Container> containers = new ArrayList<>();
    for (int i = 0; i + 1 < arguments.length; i += 2) {
      String value = arguments[i + 1].strip();
      List<String> words = Arrays.asList(value.split("\\s+"));
      int equals = value.indexOf('=');
      if (arguments[i].equals("--socket")) {
        sockets.add(Path.of(value));
      } else if (arguments[i].equals("--image") && equals > 0) {
        List<String> program = List.of(value.substring(equals + 1).strip().split("\\s+"));
        entrypoints.put(value.substring(0, equals), program);
      } else if (arguments[i].equals("--container") && words.size() >= 2) {
        containers.add(container(words));
      } else {
        return Optional.empty();
      }
    }
    boolean whole = sockets.size() == 1 && arguments.length % 2 == 0;
    return whole
        ? Optional.of(new FakeDockerArguments(sockets.get(0), entrypoints, containers))
        : Optional.empty();
  }

  private static Container container(List<String> words) {
    List<String> rest = words.subList(2, words.size());
    return new Container(
        words.get(0),
        words.get(1),
        rest.stream().filter(word -> !isVariable(word)).toList(),
        rest.stream().filter(FakeDockerArguments::isVariable).toList());
  }

  private static boolean isVariable(String word) {
    return word.matches("[A-Z_][A-Z0-9_]*=.*");
  }
}
