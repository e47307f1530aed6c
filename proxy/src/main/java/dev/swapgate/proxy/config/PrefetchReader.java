package dev.swapgate.proxy.config;

import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.PatternSyntaxException;

/** Reads an engine's {@code prefetch}. */
final class PrefetchReader {

  private static final String KEY = "prefetch";
  private static final int MOST = 100;

  private PrefetchReader() {}

  /** Those that can be looked for; what they name is seen later. */
  static List<String> globs(Section engine) {
    List<String> globs = new ArrayList<>();
    for (String glob : engine.texts(KEY)) {
      String wrong = wrong(glob);
      if (wrong.isEmpty()) {
        globs.add(glob);
      } else {
        engine.problem(KEY, "\"" + glob + "\" " + wrong);
      }
    }
    if (globs.size() > MOST) {
      engine.problem(KEY, "has " + globs.size() + " globs; at most " + MOST + " are read");
    }
    return globs;
  }

  private static String wrong(String glob) {
    if (!glob.startsWith("/")) {
      return "is not absolute; write /models/my-model/*.safetensors";
    }
    if (List.of(glob.split("/")).contains("..")) {
      return "holds ..; write the path without it";
    }
    try {
      FileSystems.getDefault().getPathMatcher("glob:" + glob);
      var unused = Path.of(glob);
      return "";
    } catch (PatternSyntaxException e) {
      return "is no glob: " + e.getDescription();
    } catch (InvalidPathException e) {
      return "is no path: " + e.getReason();
    }
  }
}
