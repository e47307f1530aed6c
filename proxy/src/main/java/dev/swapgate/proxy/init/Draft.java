package dev.swapgate.proxy.init;

import dev.swapgate.backends.docker.ContainerDetails;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * A first {@code swapgate.yaml}.
 *
 * @param text the file; it loads when there is at least one engine in it
 * @param engines how many chat engines it has
 * @param media how many media servers it has
 * @param left what was left out, one line each
 */
public record Draft(String text, int engines, int media, List<String> left) {

  /** The daemon's address that needs no word in the file. */
  static final String USUAL_DOCKER = "unix:///var/run/docker.sock";

  public Draft {
    left = List.copyOf(left);
  }

  /**
   * From the containers of a box, stopped ones too.
   *
   * @param docker the daemon's address
   * @param cardMib all memory of the card; empty when it cannot be read
   */
  public static Draft ofBox(
      List<ContainerDetails> containers, Answers answers, OptionalLong cardMib, String docker) {
    Survey.Result found = new Survey(answers, cardMib).of(containers);
    ConfigText text =
        new ConfigText()
            .head(
                List.of(
                    "swapgate.yaml, written by swapgate init from what Docker has on this box.",
                    "What is marked as a guess is one. Every key with its default and range:",
                    "compose/swapgate.yaml. Next: swapgate check, swapgate serve."));
    if (!docker.equals(USUAL_DOCKER)) {
      text.docker(docker);
    }
    return finished(text, found);
  }

  /** Writes out what was found; without an engine there is nothing to select. */
  static Draft finished(ConfigText text, Survey.Result found) {
    List<Entry> engines =
        found.entries().stream().filter(entry -> entry.known().isEngine()).toList();
    if (!engines.isEmpty()) {
      text.box(found.running(), engines);
    }
    text.backends(found.entries()).doubts(found.doubts());
    List<String> left = new ArrayList<>();
    found
        .doubts()
        .forEach(doubt -> left.add(doubt.container() + " (" + doubt.what() + "): " + doubt.why()));
    return new Draft(text.text(), engines.size(), found.entries().size() - engines.size(), left);
  }
}
