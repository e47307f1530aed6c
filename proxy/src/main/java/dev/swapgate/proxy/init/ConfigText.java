package dev.swapgate.proxy.init;

import dev.swapgate.proxy.init.KnownServer.AdapterForm;
import dev.swapgate.proxy.init.KnownServer.EngineForm;
import dev.swapgate.proxy.init.KnownServer.ExampleForm;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Writes {@code swapgate.yaml}, each line with its reason. */
final class ConfigText {

  private final List<String> lines = new ArrayList<>();

  /** Lines of comment at the top. */
  ConfigText head(List<String> comments) {
    comments.forEach(line -> comment("", line));
    return this;
  }

  ConfigText docker(String host) {
    line("docker:");
    line("  host: " + quoted(host));
    return this;
  }

  /** The state folder, and which engine serves. */
  ConfigText box(Optional<String> running, List<Entry> engines) {
    line("");
    line("# Jobs, history, the admin token; swapgate must be able to write there.");
    line("state_dir: /var/lib/swapgate");
    line("");
    line(
        running.isPresent()
            ? "# The engine that runs now. It is restored after media work."
            : "# None runs now: this is the first one. It is restored after media work.");
    line("selected: " + running.orElseGet(() -> engines.getFirst().id()));
    if (engines.size() > 1) {
      String other =
          engines.stream()
              .map(Entry::id)
              .filter(id -> !id.equals(running.orElseGet(() -> engines.getFirst().id())))
              .findFirst()
              .orElseThrow();
      line("# Not asked for: serves chat when the selected one cannot be brought back.");
      line("# fallback_engine: " + other);
    }
    return this;
  }

  ConfigText backends(List<Entry> entries) {
    section("engines", entries.stream().filter(one -> one.known().isEngine()).toList());
    section("media", entries.stream().filter(one -> !one.known().isEngine()).toList());
    return this;
  }

  ConfigText doubts(List<Survey.Doubt> doubts) {
    if (doubts.isEmpty()) {
      return this;
    }
    line("");
    line("# Seen and left out:");
    for (Survey.Doubt doubt : doubts) {
      comment("", "");
      comment("", doubt.container() + " (" + doubt.image() + "): " + doubt.what() + ".");
      comment("", "  " + doubt.why() + ".");
    }
    return this;
  }

  String text() {
    return String.join("\n", lines) + "\n";
  }

  private void section(String name, List<Entry> entries) {
    line("");
    if (entries.isEmpty()) {
      line("# " + name + ": none was recognised; see compose/swapgate.yaml and compose/examples");
      return;
    }
    line(name + ":");
    entries.forEach(this::backend);
  }

  private void backend(Entry entry) {
    KnownServer known = entry.known();
    entry.comments().forEach(text -> comment("  ", text));
    switch (known.form()) {
      case EngineForm engine -> {
        open(entry);
        readiness(known);
        grace(known);
        vram(entry);
        if (!known.restore().isEmpty()) {
          line(
              "    restore: "
                  + known.restore()
                  + "   # guess: how long a load takes, until learned");
        }
        models(entry);
      }
      case AdapterForm adapter -> {
        line("  " + entry.id() + ":");
        line("    type: " + adapter.type());
        place(entry);
        readiness(known);
        grace(known);
        vram(entry);
        String time = adapter.type().equals("comfyui") ? "180s" : "240s";
        line("    generation: " + time + "   # guess: one job in full, until learned");
      }
      case ExampleForm example -> {
        comment("  ", "Described by keys: it is compose/examples/" + example.example() + ".yaml.");
        line("  " + entry.id() + ":");
        for (String one : Example.keys(example.example())) {
          line(
              one.startsWith("    container:")
                  ? "    container: " + entry.container()
                  : one.startsWith("    url:") ? "    url: " + entry.url() : one);
        }
      }
    }
  }

  private void open(Entry entry) {
    line("  " + entry.id() + ":");
    place(entry);
  }

  private void place(Entry entry) {
    line("    container: " + entry.container());
    line("    url: " + entry.url());
  }

  private void readiness(KnownServer known) {
    comment(
        "    ", known.path() + ": " + known.reason() + ". budget: a guess, from start to ready.");
    known.more().forEach(text -> comment("    ", text));
    line("    readiness: {path: " + known.path() + ", budget: " + known.budget() + "}");
  }

  private void grace(KnownServer known) {
    if (!known.grace().isEmpty()) {
      line("    stop_grace_period: " + known.grace() + "   # " + known.graceReason());
    }
  }

  private void vram(Entry entry) {
    line(
        entry.vram().isEmpty()
            ? "    # vram: 31GiB   # not known; swapgate rehearse prints what it takes"
            : "    vram: " + entry.vram() + "   # " + entry.vramReason());
  }

  private void models(Entry entry) {
    if (!entry.models().isEmpty()) {
      line("    models:");
      entry.models().forEach((name, own) -> line("      " + quoted(name) + ": " + quoted(own)));
    }
  }

  /** What others wrote is put here: it must not end the comment. */
  private void comment(String indent, String text) {
    String plain = text.replaceAll("[\\p{Cntrl}\u0085\u2028\u2029\ufeff]", "?");
    lines.add((indent + "# " + plain).stripTrailing());
  }

  private void line(String text) {
    lines.add(text);
  }

  /** In single quotes, in which only they themselves mean anything, but for our {@code ${…}}. */
  static String quoted(String text) {
    return "'" + text.replaceAll("\\p{Cntrl}", "?").replace("${", "$${").replace("'", "''") + "'";
  }
}
