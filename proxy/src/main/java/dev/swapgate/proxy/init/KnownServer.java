package dev.swapgate.proxy.init;

import java.util.List;
import java.util.regex.Pattern;

/**
 * What is known of one kind of server. The facts come from the projects' sources and documentation
 * as of 2026-11; times are measured ones, or marked as guesses where they are written out.
 *
 * @param title its name as people write it
 * @param word the name it gets in the file when the container's own does not fit
 * @param form how it is written into the file
 * @param image found in the image's name without registry, tag and digest
 * @param ports inside the container, the usual one first
 * @param path what readiness asks
 * @param reason why that path
 * @param budget from start to ready, as in the file
 * @param restore how long a load takes, as in the file; empty when nobody measured it
 * @param grace the stop grace period; empty when the container's own will do
 * @param graceReason why it is that long
 * @param more further lines of comment
 */
record KnownServer(
    String title,
    String word,
    Form form,
    Pattern image,
    List<Integer> ports,
    String path,
    String reason,
    String budget,
    String restore,
    String grace,
    String graceReason,
    List<String> more) {

  /** How a server is written into the file. */
  sealed interface Form {}

  /** Serves chat. */
  record EngineForm() implements Form {}

  /** Runs jobs, with an adapter of its own. */
  record AdapterForm(String type) implements Form {}

  /** Runs jobs and is described by keys, which are those of a shipped example. */
  record ExampleForm(String example) implements Form {}

  boolean isEngine() {
    return form instanceof EngineForm;
  }

  static KnownServer engine(
      String title, String word, String image, List<Integer> ports, String path, String reason) {
    return of(title, word, new EngineForm(), image, ports, path, reason, "900s");
  }

  static KnownServer media(
      String title,
      String word,
      Form form,
      String image,
      List<Integer> ports,
      String path,
      String reason) {
    return of(title, word, form, image, ports, path, reason, "180s");
  }

  private static KnownServer of(
      String title,
      String word,
      Form form,
      String image,
      List<Integer> ports,
      String path,
      String reason,
      String budget) {
    return new KnownServer(
        title,
        word,
        form,
        Pattern.compile(image),
        ports,
        path,
        reason,
        budget,
        "",
        "",
        "",
        List.of());
  }

  KnownServer loads(String budget, String restore) {
    return new KnownServer(
        title, word, form, image, ports, path, reason, budget, restore, grace, graceReason, more);
  }

  KnownServer stops(String grace, String graceReason) {
    return new KnownServer(
        title, word, form, image, ports, path, reason, budget, restore, grace, graceReason, more);
  }

  KnownServer note(String... lines) {
    return new KnownServer(
        title,
        word,
        form,
        image,
        ports,
        path,
        reason,
        budget,
        restore,
        grace,
        graceReason,
        List.of(lines));
  }
}
