package dev.swapgate.proxy.taste;

import static java.util.Map.entry;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The plan of the house: which room may see which, and which library lives in which room. */
final class House {
  static final String ROOT = "dev.swapgate.";

  private static final Set<String> GATE = Set.of("gate.core", "gate.port", "gate.runtime");
  private static final Set<String> STREET_HANDLERS =
      Set.of(
          "proxy.forward", "proxy.chat", "proxy.door", "proxy.jobs", "proxy.images", "proxy.admin");
  private static final Set<String> WORKSHOP =
      Set.of(
          "backends.docker", "backends.probe", "backends.gpu", "backends.job", "backends.generic");

  /** From each room to the rooms that it may see besides itself. */
  static final Map<String, Set<String>> ARROWS =
      Map.ofEntries(
          entry("gate.core", Set.of()),
          entry("gate.port", Set.of("gate.core")),
          entry("gate.runtime", Set.of("gate.core", "gate.port")),
          entry("gate.store", Set.of("gate.core", "gate.port")),
          entry("backends.recipe", Set.of()),
          entry("backends.settings", Set.of("backends.recipe", "gate.core")),
          entry("backends.docker", Set.of("backends.settings", "gate.core", "gate.port")),
          entry("backends.http", Set.of("gate.core", "gate.port")),
          entry(
              "backends.probe",
              Set.of("backends.settings", "backends.http", "gate.core", "gate.port")),
          entry("backends.gpu", Set.of("backends.settings", "gate.core", "gate.port")),
          entry(
              "backends.media",
              Set.of("backends.settings", "backends.http", "gate.core", "gate.port")),
          entry(
              "backends.job",
              Set.of("backends.settings", "backends.media", "gate.core", "gate.port")),
          entry(
              "backends.generic",
              Set.of(
                  "backends.settings",
                  "backends.recipe",
                  "backends.media",
                  "gate.core",
                  "gate.port")),
          entry("backends.prefetch", Set.of("backends.gpu", "gate.core", "gate.port")),
          entry("backends.catalog", union(WORKSHOP, GATE, Set.of("backends.settings"))),
          entry("backends.sim", Set.of()),
          entry("proxy.http", GATE),
          entry("proxy.fallback", union(GATE, Set.of("proxy.http"))),
          entry("proxy.history", union(GATE, Set.of("proxy.http"))),
          entry("proxy.metrics", union(GATE, Set.of("proxy.history"))),
          entry("proxy.notify", union(GATE, Set.of("proxy.history"))),
          entry("proxy.forward", union(GATE, Set.of("proxy.http"))),
          entry("proxy.chat", union(GATE, Set.of("proxy.http", "proxy.forward", "proxy.fallback"))),
          entry("proxy.door", union(GATE, Set.of("proxy.http", "proxy.forward"))),
          entry("proxy.workflows", Set.of("gate.core")),
          entry("proxy.mcp", Set.of()),
          entry("proxy.jobs", union(GATE, Set.of("proxy.http", "proxy.workflows"))),
          entry("proxy.images", union(GATE, Set.of("proxy.http", "proxy.jobs", "proxy.workflows"))),
          entry("proxy.admin", union(GATE, Set.of("proxy.http", "proxy.history"))),
          entry(
              "proxy.config",
              union(
                  GATE,
                  Set.of(
                      "backends.settings",
                      "backends.recipe",
                      "proxy.notify",
                      "proxy.fallback",
                      "proxy.workflows"))),
          entry(
              "proxy.check",
              union(
                  GATE,
                  Set.of(
                      "backends.settings",
                      "backends.docker",
                      "backends.prefetch",
                      "proxy.admin",
                      "proxy.config"))),
          entry("proxy.init", Set.of("backends.docker", "proxy.config")),
          entry(
              "proxy.app",
              union(
                  GATE,
                  STREET_HANDLERS,
                  Set.of(
                      "gate.store",
                      "backends.settings",
                      "backends.catalog",
                      "backends.docker",
                      "backends.gpu",
                      "backends.prefetch",
                      "proxy.check",
                      "proxy.init",
                      "proxy.http",
                      "proxy.fallback",
                      "proxy.history",
                      "proxy.metrics",
                      "proxy.notify",
                      "proxy.workflows",
                      "proxy.config"))),
          entry(
              "proxy.cli",
              union(
                  GATE,
                  Set.of(
                      "proxy.app", "proxy.config", "proxy.init", "proxy.mcp", "proxy.workflows"))));

  /** From the beginning of a package name of a library to the only rooms that may use it. */
  static final Map<String, Set<String>> LIBRARIES =
      Map.ofEntries(
          entry("io.undertow.", union(STREET_HANDLERS, Set.of("proxy.http", "proxy.app"))),
          entry("org.xnio.", union(STREET_HANDLERS, Set.of("proxy.http", "proxy.app"))),
          entry("com.github.dockerjava.", Set.of("backends.docker")),
          entry("oshi.", Set.of("backends.gpu")),
          entry("com.sun.jna.", Set.of("backends.gpu")),
          entry("com.fasterxml.jackson.dataformat.yaml.", Set.of("proxy.config")),
          entry("org.yaml.snakeyaml.", Set.of("proxy.config")),
          entry("com.networknt.", Set.of("proxy.config")),
          entry("picocli.", Set.of("proxy.cli")),
          entry("io.modelcontextprotocol.", Set.of("proxy.mcp")),
          entry("reactor.", Set.of("proxy.mcp")),
          entry("org.reactivestreams.", Set.of("proxy.mcp")),
          entry("io.prometheus.", Set.of("proxy.metrics")),
          entry("java.sql.", Set.of("gate.store")),
          entry("javax.sql.", Set.of("gate.store")),
          entry("org.sqlite.", Set.of("gate.store")),
          entry("ch.qos.logback.", Set.of("proxy.app", "proxy.cli")),
          entry("com.sun.net.httpserver.", Set.of("backends.sim")));

  /** From the beginning of a package name to the rooms that must do without it. */
  static final Map<String, Set<String>> STRANGERS =
      Map.of(
          "com.fasterxml.jackson.",
          union(GATE, Set.of("backends.settings", "backends.recipe", "backends.catalog")),
          "org.slf4j.",
          Set.of("gate.core"),
          "java.net.",
          union(GATE, Set.of("gate.store")));

  /** All that the core may import, by package; it decides from values alone. */
  static final Set<String> CORE_PACKAGES =
      Set.of(
          "java.lang",
          "java.lang.annotation",
          "java.lang.invoke",
          "java.lang.runtime",
          "java.util",
          "java.util.function",
          "java.util.regex",
          "java.util.stream",
          "java.time",
          "java.time.temporal",
          "org.jspecify.annotations",
          "dev.swapgate.gate.core");

  /** What lies in those packages and is no value: clocks, threads, chance, the machine. */
  static final Set<String> NOT_FOR_THE_CORE =
      Set.of(
          "java.lang.System",
          "java.lang.Thread",
          "java.lang.ThreadLocal",
          "java.lang.Runtime",
          "java.lang.Process",
          "java.lang.ProcessBuilder",
          "java.time.Clock",
          "java.util.Random",
          "java.util.SplittableRandom",
          "java.util.Timer",
          "java.util.UUID");

  private House() {}

  /** The room of a package of ours, {@code gate.core} for {@code dev.swapgate.gate.core.x}. */
  static String room(String packageName) {
    String[] parts = packageName.substring(ROOT.length()).split("\\.", 3);
    return parts.length < 2 ? parts[0] : parts[0] + "." + parts[1];
  }

  static boolean isOurs(String packageName) {
    return packageName.startsWith(ROOT);
  }

  @SafeVarargs
  private static Set<String> union(Set<String>... sets) {
    Set<String> all = new TreeSet<>();
    for (Set<String> set : sets) {
      all.addAll(set);
    }
    return all;
  }
}
