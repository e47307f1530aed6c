package dev.swapgate.proxy.taste;

import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Something that code does not do, what it does instead, and where it may be done after all. */
record Ban(String what, Pattern pattern, String instead, Predicate<Source> excepted) {

  static final List<Ban> IN_CODE =
      List.of(
          ban(
              "sleeping",
              "\\b(Thread\\.sleep|TimeUnit\\.\\w+\\.sleep|LockSupport\\.park(Nanos|Until))\\(",
              "a timer of the core's, or a wait for a signal with a limit",
              in("backends/src/main/java/dev/swapgate/backends/sim/")),
          ban(
              "reading a clock",
              "\\b(Instant|LocalDate|LocalTime|LocalDateTime|OffsetDateTime|ZonedDateTime)\\.now\\("
                  + "|\\bSystem\\.(nanoTime|currentTimeMillis)\\(|\\bClock\\.system\\w*\\("
                  + "|\\bnew Date\\(\\)",
              "SteadyClock, or a parameter called now",
              in("backends/src/main/java/dev/swapgate/backends/sim/")
                  .or(in("gate/src/main/java/dev/swapgate/gate/runtime/SystemClock.java"))),
          ban(
              "printing",
              "\\bSystem\\.(out|err)\\b",
              "SLF4J, or a writer that is handed in",
              in("proxy/src/main/java/dev/swapgate/proxy/cli/")
                  .or(in("backends/src/main/java/dev/swapgate/backends/sim/"))
                  .or(isTest())),
          ban(
              "printing a stack",
              "\\.printStackTrace\\(",
              "the exception as last argument of the log line",
              nowhere()),
          ban(
              "a nameless exception",
              "\\bnew (RuntimeException|Exception|Throwable|Error)\\(",
              "the exception type of the room",
              isTest()),
          ban(
              "ending the process",
              "\\bSystem\\.exit\\(|\\bRuntime\\.getRuntime\\(\\)\\.halt\\(",
              "an exit code that is returned to the command line",
              in("proxy/src/main/java/dev/swapgate/proxy/cli/")
                  .or(in("proxy/src/main/java/dev/swapgate/proxy/app/"))
                  .or(in("gate/src/test/java/dev/swapgate/gate/sim/SimulationMain.java"))
                  .or(in("backends/src/main/java/dev/swapgate/backends/sim/"))),
          ban(
              "a nameless thread",
              "\\bnew Thread\\([^,]*\\)\\s*\\)*;|\\bThread\\.startVirtualThread\\(",
              "Thread.ofVirtual().name(…)",
              in("backends/src/main/java/dev/swapgate/backends/sim/").or(isTest())),
          ban(
              "chance without a seed",
              "\\bMath\\.random\\(|\\bnew Random\\(\\)",
              "new Random(seed), the seed printed",
              nowhere()),
          ban(
              "a switched-off test",
              "@(Disabled|Ignore)\\b",
              "a test that passes, or none",
              nowhere()),
          ban("an import of everything", "^import .*\\*;", "the names that are used", nowhere()));

  static final List<Ban> IN_COMMENTS =
      List.of(
          ban(
              "a reminder",
              "\\b(TODO|FIXME|XXX|HACK)\\b",
              "the work itself, or an issue",
              nowhere()),
          ban("an author tag", "@author\\b", "the history of the file", nowhere()),
          ban(
              "code in a comment",
              "^\\s*// ?(([\\w.]+\\([^ ]*\\)|\\w+ = .*|return\\b.*|import [\\w.]+);$"
                  + "|(if|for|while) \\(.*\\{$|\\}$)",
              "the history of the file",
              nowhere()),
          ban(
              "a word that says nothing",
              "(?i)\\b(obviously|seamless(ly)?|leverag(e|es|ing)|utili[sz]e[sd]?|blazing(ly)?)\\b",
              "the plain fact",
              nowhere()));

  /** Where in the given view of the source the ban is broken, each with what to do instead. */
  Stream<String> broken(Source source, List<String> view) {
    if (excepted.test(source)) {
      return Stream.empty();
    }
    return Stream.iterate(0, i -> i < view.size(), i -> i + 1)
        .filter(i -> pattern.matcher(view.get(i)).find())
        .map(
            i ->
                "%s:%d: %s; instead: %s: %s"
                    .formatted(source.name(), i + 1, what, instead, source.lines().get(i).strip()));
  }

  private static Ban ban(String what, String regex, String instead, Predicate<Source> excepted) {
    return new Ban(what, Pattern.compile(regex), instead, excepted);
  }

  private static Predicate<Source> in(String prefix) {
    return source -> source.name().startsWith(prefix);
  }

  private static Predicate<Source> isTest() {
    return source -> !source.isMain();
  }

  private static Predicate<Source> nowhere() {
    return source -> false;
  }
}
