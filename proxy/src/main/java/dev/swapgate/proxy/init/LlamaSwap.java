package dev.swapgate.proxy.init;

import dev.swapgate.proxy.config.ForeignYaml;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Turns the configuration of llama-swap into one for swapgate. Its models that are {@code docker
 * run} lines become engines, each with the {@code docker create} line that makes its container; the
 * others are named with the reason. The keys are those of its documentation, 2026-11.
 */
public final class LlamaSwap {

  private static final Pattern MACRO = Pattern.compile("\\$\\{([^}]*)}");

  /** Its default. */
  private static final int START_PORT = 5800;

  private final Map<String, String> macros = new HashMap<>();
  private final Set<String> ids = new HashSet<>(Set.of("none"));
  private final Set<String> containers = new HashSet<>();
  private final Map<String, String> places = new HashMap<>();
  private final List<String> commands = new ArrayList<>();
  private final List<Entry> entries = new ArrayList<>();
  private final List<Survey.Doubt> doubts = new ArrayList<>();
  private final String budget;
  private int port;

  private LlamaSwap(ForeignYaml.Fields file) {
    port =
        file.text("startPort")
            .filter(text -> text.matches("\\d{1,5}"))
            .map(Integer::parseInt)
            .orElse(START_PORT);
    // Its own rule: 120 s by default, at least 15.
    int wait =
        file.text("healthCheckTimeout")
            .filter(text -> text.matches("\\d{1,5}"))
            .map(Integer::parseInt)
            .orElse(120);
    budget = Math.clamp(wait, 15, 86_400) + "s";
    addMacros(file.map("macros"));
    file.map("models").fields().forEach((name, model) -> add(name, model));
  }

  /**
   * Reads its file; asks and changes nothing.
   *
   * @param name how problems name it
   * @throws dev.swapgate.proxy.config.ConfigException when it cannot be read
   */
  public static Draft draft(String name, String text) {
    LlamaSwap read = new LlamaSwap(ForeignYaml.read(name, text));
    List<String> head = new ArrayList<>();
    head.add("swapgate.yaml, written by swapgate init --from llama-swap.");
    head.add("llama-swap loads whichever model a request names. swapgate keeps one engine on the");
    head.add(
        "card, the selected one (swapgate select NAME changes it), and lends the card to media");
    head.add("servers, which are to be added here.");
    if (!read.commands.isEmpty()) {
      head.add("");
      head.add("Make the containers, once, with these lines; nothing is started:");
      read.commands.forEach(command -> head.add("  " + command));
    }
    return Draft.finished(
        new ConfigText().head(head),
        new Survey.Result(read.entries, read.doubts, Optional.empty()));
  }

  private void addMacros(ForeignYaml.Fields given) {
    given
        .fields()
        .keySet()
        .forEach(key -> given.text(key).ifPresent(text -> macros.put(key, text)));
  }

  private void add(String name, ForeignYaml.Value value) {
    if (!(value instanceof ForeignYaml.Fields model)) {
      doubts.add(new Survey.Doubt(name, "", "a model of llama-swap", "it has no keys"));
      return;
    }
    Map<String, String> own = new HashMap<>(macros);
    ForeignYaml.Fields more = model.map("macros");
    more.fields().keySet().forEach(key -> more.text(key).ifPresent(text -> own.put(key, text)));
    own.put("MODEL_ID", name);
    String line = model.text("cmd").orElse("");
    String proxy = model.text("proxy").orElse("http://localhost:${PORT}");
    if (filled(line, own).contains("${PORT}") || filled(proxy, own).contains("${PORT}")) {
      own.put("PORT", String.valueOf(port++));
    }
    try {
      add(name, model, DockerRun.of(words(filled(line, own)), container(name)), filled(proxy, own));
    } catch (DockerRun.Unfit unfit) {
      String why = unfit.getMessage() + "; it is not translatable. Put it into a container";
      doubts.add(new Survey.Doubt(name, first(line), "a model of llama-swap", why));
    }
  }

  private void add(String name, ForeignYaml.Fields model, DockerRun run, String url) {
    if (!url.matches("https?://[A-Za-z0-9.:\\[\\]_-]+/*")) {
      throw new DockerRun.Unfit("its proxy " + url + " is no base address that can be used");
    }
    String base = url.replaceAll("/+$", "").replaceFirst("//localhost(?=:|$)", "//127.0.0.1");
    String other = places.putIfAbsent(base, name);
    if (other != null) {
      throw new DockerRun.Unfit("its address " + base + " is that of " + other + " too");
    }
    if (!containers.add(run.name())) {
      throw new DockerRun.Unfit("its container " + run.name() + " is that of another model too");
    }
    String id = Names.free(name.toLowerCase(Locale.ROOT), "engine", ids);
    ids.add(id);
    commands.add(ShellWords.join(run.create()));
    KnownServer known = known(run, model);
    List<String> comments = new ArrayList<>();
    comments.add("llama-swap's model " + name + ": " + known.title() + " (" + run.image() + ").");
    Map<String, String> models = new LinkedHashMap<>();
    model.text("useModelName").ifPresent(own -> models.put(name, own));
    entries.add(new Entry(id, run.name(), base, known, comments, "", "", models));
  }

  private KnownServer known(DockerRun run, ForeignYaml.Fields model) {
    Optional<KnownServer> byImage = KnownServers.byImage(run.image()).filter(KnownServer::isEngine);
    String path =
        model
            .text("checkEndpoint")
            .filter(text -> text.matches("/[!-~&&[^#{},\\[\\]]]*"))
            .orElse("");
    KnownServer known =
        byImage.orElseGet(
            () ->
                KnownServer.engine(
                    "an image that is not known",
                    "engine",
                    "",
                    List.of(),
                    "/health",
                    "llama-swap's default"));
    if (path.isEmpty() || path.equals(known.path())) {
      return byImage.isPresent() ? known : known.loads(budget, "");
    }
    return KnownServer.engine(
            known.title(), known.word(), "", known.ports(), path, "llama-swap's checkEndpoint")
        .loads(budget, known.restore())
        .stops(known.grace(), known.graceReason());
  }

  private static String container(String name) {
    return name.replaceAll("[^a-zA-Z0-9_.-]+", "-").replaceFirst("^[^a-zA-Z0-9]+", "");
  }

  private static List<String> words(String line) {
    Matcher open = MACRO.matcher(line);
    if (open.find()) {
      throw new DockerRun.Unfit("it uses " + open.group() + ", which is no macro of the file");
    }
    try {
      return ShellWords.split(line);
    } catch (IllegalArgumentException unread) {
      throw new DockerRun.Unfit("in its cmd " + unread.getMessage());
    }
  }

  private static String first(String line) {
    return line.strip().split("\\s+", 2)[0];
  }

  /** Macros may name macros; what names itself ends after a few rounds. */
  private static String filled(String text, Map<String, String> macros) {
    String filled = text;
    for (int round = 0; round < 5; round++) {
      filled =
          MACRO
              .matcher(filled)
              .replaceAll(
                  match ->
                      Matcher.quoteReplacement(
                          Optional.ofNullable(macros.get(match.group(1))).orElse(match.group())));
    }
    return filled;
  }
}
