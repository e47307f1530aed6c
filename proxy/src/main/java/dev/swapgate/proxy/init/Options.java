package dev.swapgate.proxy.init;

import dev.swapgate.backends.docker.ContainerDetails;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads options from the command a container was made with. */
final class Options {
  private Options() {}

  /** The value of {@code --name value} or {@code --name=value}; the last one counts. */
  static Optional<String> text(List<String> words, String option) {
    Optional<String> found = Optional.empty();
    for (int i = 0; i < words.size(); i++) {
      if (words.get(i).startsWith(option + "=")) {
        found = Optional.of(words.get(i).substring(option.length() + 1));
      } else if (words.get(i).equals(option) && i + 1 < words.size()) {
        found = Optional.of(words.get(i + 1));
      }
    }
    return found;
  }

  static Optional<String> text(ContainerDetails container, String option) {
    List<String> words = new ArrayList<>(container.entrypoint());
    words.addAll(container.command());
    return text(words, option);
  }

  /** A port number. */
  static Optional<Integer> number(ContainerDetails container, String option) {
    return text(container, option)
        .filter(value -> value.matches("[1-9]\\d{0,4}"))
        .map(Integer::valueOf);
  }
}
