package dev.swapgate.proxy.init;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A {@code docker run} line as {@code docker create} takes it. Without {@code --rm} and a restart
 * policy: swapgate starts and stops the same container again and again.
 */
record DockerRun(List<String> create, String name, String image, List<String> command) {

  /** Options of {@code docker run} that take no value; all others take one. */
  private static final Set<String> FLAGS =
      Set.of(
          "--init",
          "--interactive",
          "--no-healthcheck",
          "--oom-kill-disable",
          "--privileged",
          "--publish-all",
          "--quiet",
          "--read-only",
          "--tty",
          "--use-api-socket");

  /** What a container that is made beforehand has no use for. */
  private static final Set<String> DROPPED =
      Set.of("--rm", "--detach", "--sig-proxy", "--disable-content-trust");

  private static final String DROPPED_VALUES =
      "--(restart|detach-keys|sig-proxy|rm|detach|name|cidfile|pull)(=.*)?";

  /** A line that cannot be turned; its message says why. */
  static final class Unfit extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unfit(String why) {
      super(why);
    }
  }

  /**
   * @param otherwise the container's name when the line gives none
   */
  static DockerRun of(List<String> line, String otherwise) {
    List<String> words = new ArrayList<>(line);
    if (!words.isEmpty() && words.getFirst().equals("sudo")) {
      words.removeFirst();
    }
    String program = words.isEmpty() ? "" : words.removeFirst().replaceFirst("^.*/", "");
    if (!program.equals("docker")) {
      throw new Unfit(
          "it runs "
              + (program.isEmpty() ? "nothing" : program)
              + ", and swapgate turns containers of Docker on and off");
    }
    if (!words.isEmpty() && words.getFirst().equals("container")) {
      words.removeFirst();
    }
    if (words.isEmpty() || !words.removeFirst().equals("run")) {
      throw new Unfit("it is no docker run");
    }
    return read(words, otherwise);
  }

  private static DockerRun read(List<String> words, String otherwise) {
    List<String> kept = new ArrayList<>();
    String name = otherwise;
    int i = 0;
    while (i < words.size() && words.get(i).startsWith("-")) {
      String word = words.get(i++);
      if (word.matches("-[ditqP]+[^ditqP].*")) {
        throw new Unfit("one cannot tell what " + word + " is; write its options apart");
      }
      boolean alone = word.equals("--") || isFlag(word);
      List<String> option = new ArrayList<>(List.of(word));
      if (!alone && !holdsValue(word)) {
        if (i == words.size()) {
          throw new Unfit("it ends behind " + word);
        }
        option.add(words.get(i++));
      }
      if (word.startsWith("--name")) {
        name = option.size() > 1 ? option.get(1) : word.substring("--name=".length());
      } else if (!word.equals("--") && !isDropped(word)) {
        kept.addAll(option);
      }
    }
    if (i == words.size()) {
      throw new Unfit("it names no image");
    }
    if (!name.matches("[a-zA-Z0-9][a-zA-Z0-9_.-]+")) {
      throw new Unfit("\"" + name + "\" cannot be a container's name");
    }
    List<String> create = new ArrayList<>(List.of("docker", "create", "--name", name));
    create.addAll(kept);
    create.addAll(words.subList(i, words.size()));
    return new DockerRun(create, name, words.get(i), words.subList(i + 1, words.size()));
  }

  private static boolean isFlag(String word) {
    return FLAGS.contains(word) || DROPPED.contains(word) || word.matches("-[ditqP]+");
  }

  private static boolean holdsValue(String word) {
    return word.startsWith("--") ? word.indexOf('=') > 0 : word.length() > 2;
  }

  private static boolean isDropped(String word) {
    return word.matches("-[ditq]+")
        || word.matches(DROPPED_VALUES)
        || DROPPED.contains(word)
        || word.equals("--interactive")
        || word.equals("--tty")
        || word.equals("--quiet");
  }
}
