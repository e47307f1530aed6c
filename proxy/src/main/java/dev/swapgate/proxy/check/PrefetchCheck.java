package dev.swapgate.proxy.check;

import dev.swapgate.backends.prefetch.CacheReader;
import dev.swapgate.backends.prefetch.ModelFiles;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.proxy.admin.Finding;
import dev.swapgate.proxy.admin.Finding.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Looks for the files that {@code prefetch} names, as swapgate itself sees them. */
public final class PrefetchCheck {

  private PrefetchCheck() {}

  /**
   * Looks. Blocks as long as the file system does.
   *
   * @param globs by engine
   * @param most bytes of memory that could ever be free; empty when that is not known
   */
  public static List<Finding> findings(Map<Backend.Id, List<String>> globs, OptionalLong most) {
    List<Finding> found = new ArrayList<>();
    Map<String, List<String>> sorted = new TreeMap<>();
    globs.forEach((engine, names) -> sorted.put(engine.value(), names));
    sorted.forEach(
        (engine, names) -> {
          ModelFiles files = ModelFiles.find(names);
          files.problems().forEach(problem -> found.add(unreadable(engine, problem)));
          if (most.isPresent() && files.bytes() + CacheReader.RESERVE > most.getAsLong()) {
            found.add(tooLarge(engine, files.bytes(), most.getAsLong()));
          }
        });
    return found;
  }

  private static Finding unreadable(String engine, String problem) {
    return new Finding(
        "prefetch_unreadable",
        Severity.WARNING,
        engine,
        problem,
        engine + " then loads from the disk, as it does without prefetch; nothing else comes of it",
        "correct engines."
            + engine
            + ".prefetch in swapgate.yaml; where swapgate runs in a container, mount the folder"
            + " of the models there, read-only and at the same path");
  }

  private static Finding tooLarge(String engine, long bytes, long most) {
    return new Finding(
        "prefetch_too_large",
        Severity.WARNING,
        engine,
        "the files of %s are %s, and there are never more than %s of memory"
            .formatted(engine, CacheReader.gib(bytes), CacheReader.gib(most)),
        "with %s for other programs they do not fit, so they are never read ahead"
            .formatted(CacheReader.gib(CacheReader.RESERVE)),
        "name fewer files under engines."
            + engine
            + ".prefetch; where swapgate's own container has a limit of memory, raise it");
  }
}
