package dev.swapgate.proxy.taste;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** How the sources of all three modules and the scripts are written. */
class TidyTest {
  private static final int LONGEST_LINE = 100;
  private static final int LONGEST_FILE = 400;
  private static final int ONE_SITTING = 250;

  /** One idea each, which does not become clearer in two files. */
  private static final Set<String> LONG_BY_CHOICE = Set.of("GateLoop.java", "JobDesk.java");

  /** One file in eight may be longer than one sitting. */
  private static final int SHARE_OF_LONG_FILES = 8;

  private static Path root;
  private static List<Source> sources;

  @BeforeAll
  static void readTheSources() throws IOException {
    root = top(Path.of("").toAbsolutePath());
    sources = new ArrayList<>();
    for (String module : List.of("gate", "backends", "proxy")) {
      for (Path file : files(root.resolve(module).resolve("src"), ".java")) {
        sources.add(Source.read(root, file));
      }
    }
    assertThat(sources).as("sources below %s", root).hasSizeGreaterThan(40);
  }

  @Test
  void codeDoesWithoutWhatIsBanned() {
    assertThat(broken(Ban.IN_CODE, true)).isEmpty();
  }

  @Test
  void commentsDoWithoutWhatIsBanned() {
    assertThat(broken(Ban.IN_COMMENTS, false)).isEmpty();
  }

  @Test
  void linesFitBesideEachOther() {
    List<String> tooLong = new ArrayList<>();
    for (Source source : sources) {
      for (int i = 0; i < source.lines().size(); i++) {
        String line = source.lines().get(i);
        boolean mayBeLong =
            line.startsWith("import ") || line.contains("://") || holdsSample(source, i);
        if (line.codePointCount(0, line.length()) > LONGEST_LINE && !mayBeLong) {
          tooLong.add(source.name() + ":" + (i + 1));
        }
      }
    }

    assertThat(tooLong).as("lines of more than %d characters", LONGEST_LINE).isEmpty();
  }

  /** What a server says is quoted in tests as it is sent. */
  private static boolean holdsSample(Source source, int line) {
    return !source.isMain()
        && (source.isInTextBlock(line) || source.lines().get(line).contains("\""));
  }

  @Test
  void filesAreReadInOneSitting() {
    Set<String> tooLong = longerThan(LONGEST_FILE);
    Set<String> longOnes = longerThan(ONE_SITTING);

    assertThat(tooLong).as("files of more than %d lines", LONGEST_FILE).isEmpty();
    assertThat(longOnes)
        .as("files of more than %d lines, of %d files", ONE_SITTING, sources.size())
        .hasSizeLessThanOrEqualTo(sources.size() / SHARE_OF_LONG_FILES);
  }

  @Test
  void everyPackageSaysWhatBelongsThere() {
    Set<String> silent =
        sources.stream()
            .filter(Source::isMain)
            .map(Source::folder)
            .collect(toCollection(TreeSet::new));
    sources.stream()
        .filter(source -> source.name().endsWith("/package-info.java"))
        .filter(source -> source.code().stream().anyMatch(line -> line.equals("@NullMarked")))
        .filter(source -> source.comments().stream().anyMatch(line -> line.startsWith("/**")))
        .forEach(source -> silent.remove(source.folder()));

    assertThat(silent)
        .as("packages without a @NullMarked package-info.java that explains them")
        .isEmpty();
  }

  @Test
  void publicTypesOfTheGateMakeAPromise() {
    Pattern type = Pattern.compile("^public .*\\b(class|interface|record|enum) \\w+");
    List<String> silent = new ArrayList<>();
    for (Source source : sources) {
      if (!source.isMain() || source.name().endsWith("package-info.java")) {
        continue;
      }
      boolean isPublic = source.code().stream().anyMatch(line -> type.matcher(line).find());
      boolean speaks = source.comments().stream().anyMatch(line -> line.startsWith("/**"));
      if (isPublic && !speaks) {
        silent.add(source.name());
      }
    }

    assertThat(silent).as("public types without Javadoc").isEmpty();
  }

  @Test
  void scriptsAreTidy() throws IOException {
    List<String> untidy = new ArrayList<>();
    Pattern wrong = Pattern.compile("\\b(TODO|FIXME|XXX)\\b|\\s+$|\t");
    for (Path file : files(root.resolve("scripts"), "")) {
      List<String> lines = Files.readAllLines(file);
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i);
        if (wrong.matcher(line).find() || (line.length() > LONGEST_LINE && !line.contains("://"))) {
          untidy.add("%s:%d: %s".formatted(root.relativize(file), i + 1, line));
        }
      }
    }

    assertThat(untidy).as("reminders, blanks at the end, tabs, long lines in scripts").isEmpty();
  }

  /** A check that sees nothing passes everything, so the bans are tried on an untidy file. */
  @Nested
  class AnUntidyFile {
    @Test
    void isSeen() throws IOException {
      Path file = Files.createTempFile("Untidy", ".java");
      try {
        Files.writeString(
            file,
            """
            import java.util.*;
            class Untidy {
              // %s: later
              String said = "Thread.sleep(5) in a string is fine";
              void nap() throws Exception { Thread.sleep(5); } // System.exit(1) here too
            }
            """
                .formatted("TO" + "DO"));
        Source untidy = Source.read(file.getParent(), file);

        assertThat(told(untidy, Ban.IN_CODE, untidy.code()))
            .containsExactly("an import of everything:1", "sleeping:5");
        assertThat(told(untidy, Ban.IN_COMMENTS, untidy.comments()))
            .containsExactly("a reminder:3");
      } finally {
        Files.delete(file);
      }
    }

    private List<String> told(Source source, List<Ban> bans, List<String> view) {
      return bans.stream()
          .flatMap(
              ban -> ban.broken(source, view).map(told -> ban.what() + ":" + told.split(":", 3)[1]))
          .sorted()
          .toList();
    }
  }

  private static List<String> broken(List<Ban> bans, boolean inCode) {
    return sources.stream()
        .flatMap(
            source ->
                bans.stream()
                    .flatMap(ban -> ban.broken(source, inCode ? source.code() : source.comments())))
        .toList();
  }

  private static Set<String> longerThan(int lines) {
    Map<String, Integer> lengths =
        sources.stream()
            .filter(source -> source.lines().size() > lines)
            .filter(source -> !LONG_BY_CHOICE.contains(source.path().getFileName().toString()))
            .collect(Collectors.toMap(Source::name, source -> source.lines().size()));
    return lengths.entrySet().stream()
        .map(entry -> entry.getKey() + " " + entry.getValue())
        .collect(toCollection(TreeSet::new));
  }

  private static Path top(Path start) {
    for (Path folder = start; folder != null; folder = folder.getParent()) {
      if (Files.isDirectory(folder.resolve("gate/src"))
          && Files.isDirectory(folder.resolve("proxy"))) {
        return folder;
      }
    }
    throw new IllegalStateException("no checkout of swapgate at or above " + start);
  }

  private static List<Path> files(Path folder, String ending) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile)
          .filter(file -> file.toString().endsWith(ending))
          .sorted()
          .toList();
    }
  }
}
