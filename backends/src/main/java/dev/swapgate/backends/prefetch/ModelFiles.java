package dev.swapgate.backends.prefetch;

import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The files that globs name, as they lie there now. Links to files and folders are followed, loops
 * are not; a file with several names counts once. Nothing is thrown: what could not be seen is a
 * problem.
 *
 * @param files ordered by path, as engines read parts of a model; empty when there is a limit that
 *     was passed
 * @param problems one sentence each
 */
public record ModelFiles(List<ModelFile> files, List<String> problems) {

  /** Of names looked at for one glob: {@code /**} is easily written and never meant. */
  static final int MOST_NAMES = 100_000;

  /** Folders below each other that {@code **} stands for. */
  private static final int DEEPEST = 32;

  public ModelFiles {
    files = List.copyOf(files);
    problems = List.copyOf(problems);
  }

  /** One file. */
  public record ModelFile(Path path, long bytes) {}

  public long bytes() {
    return files.stream().mapToLong(ModelFile::bytes).sum();
  }

  /**
   * Looks. Blocks as long as the file system does.
   *
   * @param globs absolute and well formed
   */
  public static ModelFiles find(List<String> globs) {
    Map<Path, ModelFile> found = new TreeMap<>();
    List<String> problems = new ArrayList<>();
    for (String glob : globs) {
      Look look = new Look(glob);
      look.walk();
      look.problem.ifPresent(problems::add);
      look.found.forEach(file -> once(file, found, problems));
    }
    return new ModelFiles(List.copyOf(found.values()), problems);
  }

  private static void once(ModelFile file, Map<Path, ModelFile> found, List<String> problems) {
    if (!Files.isReadable(file.path())) {
      problems.add(file.path() + " may not be read by the user that runs swapgate");
      return;
    }
    try {
      Path real = file.path().toRealPath();
      found.putIfAbsent(real, new ModelFile(real, file.bytes()));
    } catch (IOException gone) {
      problems.add(file.path() + " cannot be read: " + gone);
    }
  }

  /** One glob on its way through the folders. */
  private static final class Look extends SimpleFileVisitor<Path> {
    private final String glob;
    private final PathMatcher matcher;
    private final PathMatcher without;
    private final List<ModelFile> found = new ArrayList<>();
    private Optional<String> problem = Optional.empty();
    private int names;

    Look(String glob) {
      this.glob = glob;
      this.matcher = matcher(glob);
      this.without = matcher(glob.replace("/**/", "/")); // As in a shell: no folder is one, too.
    }

    private static PathMatcher matcher(String glob) {
      return FileSystems.getDefault().getPathMatcher("glob:" + glob);
    }

    void walk() {
      Path base = base(glob);
      int rest =
          (int) glob.substring(base.toString().length()).chars().filter(c -> c == '/').count();
      int depth = glob.contains("**") ? DEEPEST : rest;
      try {
        Files.walkFileTree(base, EnumSet.of(FileVisitOption.FOLLOW_LINKS), depth, this);
      } catch (IOException e) {
        problem = Optional.of(base + " cannot be looked through: " + e);
      }
      if (found.isEmpty() && problem.isEmpty()) {
        problem = Optional.of(glob + " names no file");
      }
    }

    /** The folder up to which nothing is left open; the whole path when nothing is. */
    private static Path base(String glob) {
      for (int i = 0; i < glob.length(); i++) {
        if ("*?[{\\".indexOf(glob.charAt(i)) >= 0) {
          return Path.of(glob.substring(0, Math.max(1, glob.lastIndexOf('/', i))));
        }
      }
      return Path.of(glob);
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
      return counted();
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (attributes.isRegularFile() && (matcher.matches(file) || without.matches(file))) {
        found.add(new ModelFile(file, attributes.size()));
      }
      return counted();
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      if (!(e instanceof FileSystemLoopException) && Files.exists(file)) {
        problem = Optional.of(file + " cannot be read: " + e);
      }
      return counted();
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, IOException e) {
      return FileVisitResult.CONTINUE;
    }

    private FileVisitResult counted() {
      names++;
      if (names <= MOST_NAMES) {
        return FileVisitResult.CONTINUE;
      }
      found.clear();
      problem =
          Optional.of(glob + " looks through more than " + MOST_NAMES + " names; name a folder");
      return FileVisitResult.TERMINATE;
    }
  }
}
