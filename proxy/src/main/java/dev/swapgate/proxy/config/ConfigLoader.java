package dev.swapgate.proxy.config;

import dev.swapgate.backends.settings.CardSettings;
import dev.swapgate.backends.settings.DockerSettings;
import dev.swapgate.proxy.fallback.FallbackSettings;
import dev.swapgate.proxy.notify.Target;
import dev.swapgate.proxy.workflows.Workflows;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Finds and reads {@code swapgate.yaml}. Strict: an unknown key, a duplicate, an anchor, a tag, a
 * number out of range are problems, and all problems are told at once with file, line and path.
 * Thread-safe.
 */
public final class ConfigLoader {

  /** Names the configuration file when {@code --config} does not. */
  public static final String FILE_VARIABLE = "SWAPGATE_CONFIG";

  /** Changes the default of {@code listen}, for container images. */
  public static final String LISTEN_VARIABLE = "SWAPGATE_LISTEN";

  /** Changes the default of {@code admin.listen}, for container images. */
  public static final String ADMIN_LISTEN_VARIABLE = "SWAPGATE_ADMIN_LISTEN";

  static final String DEFAULT_LISTEN = "127.0.0.1:8484";
  static final String DEFAULT_ADMIN_LISTEN = "127.0.0.1:8485";
  static final Path DEFAULT_STATE_DIR = Path.of("/var/lib/swapgate");

  private final Map<String, String> environment;

  /**
   * @param environment for {@code ${NAME}} and the variables named above
   */
  public ConfigLoader(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  /** Where a file is looked for, in this order, when none is named. */
  public List<Path> places(Path workingFolder) {
    String home = environment.getOrDefault("HOME", "/root");
    return List.of(
        workingFolder.resolve("swapgate.yaml"),
        Path.of(home, ".config", "swapgate", "swapgate.yaml"),
        Path.of("/etc/swapgate/swapgate.yaml"));
  }

  /**
   * The file to read: the one named, else {@code $SWAPGATE_CONFIG}, else the first of {@link
   * #places} that exists. A named file need not exist: reading it tells.
   */
  public Optional<Path> locate(Optional<Path> named, Path workingFolder) {
    return named
        .or(
            () ->
                Optional.ofNullable(environment.get(FILE_VARIABLE))
                    .filter(name -> !name.isBlank())
                    .map(Path::of))
        .map(workingFolder::resolve)
        .or(() -> places(workingFolder).stream().filter(Files::isRegularFile).findFirst());
  }

  /** Reads a file; throws {@link ConfigException} with everything that is wrong with it. */
  public SwapgateConfig load(Path file) {
    Problems problems = new Problems(file.toString());
    String text = ConfigFile.text(file, problems);
    problems.throwIfAny();
    return parse(file.toString(), text, folder(file));
  }

  /**
   * Reads a text.
   *
   * @param name how problems name it
   * @param folder against which relative paths are resolved
   */
  public SwapgateConfig parse(String name, String text, Path folder) {
    return parse(name, text, folder, (path, question) -> {});
  }

  SwapgateConfig parse(String name, String text, Path folder, Question.Listener listener) {
    Problems problems = new Problems(name);
    Optional<Node.Mapping> top = YamlDocument.read(text, problems);
    if (top.isEmpty()) {
      problems.throwIfAny();
      throw new IllegalStateException("no document and no problem in " + name);
    }
    Section section =
        new Section(
            top.get(),
            "",
            new Section.Reading(problems, new Placeholders(environment, problems), listener));
    Path stateDir = path(section, "state_dir", folder).orElse(DEFAULT_STATE_DIR);
    BoxReader box =
        new BoxReader(new BackendsReader(new Secrets(folder), stateDir.resolve("calls")));
    SwapgateConfig.Address listen = listen(section, "listen", LISTEN_VARIABLE, DEFAULT_LISTEN);
    SwapgateConfig.Admin admin = admin(section.sectionOrEmpty("admin"));
    if (listen.port() != 0 && place(listen).equals(place(admin.listen()))) {
      section.problem("listen", "is the address of admin.listen too; give each its own");
    }
    box.reserve(place(listen), "listen");
    box.reserve(place(admin.listen()), "admin.listen");
    Optional<SwapgateConfig.Address> metrics = metrics(section.sectionOrEmpty("metrics"));
    metrics.ifPresent(one -> box.reserve(place(one), "metrics.listen"));
    Path resultsDir =
        path(section, "results_dir", folder).orElseGet(() -> stateDir.resolve("results"));
    DockerSettings docker = docker(section.sectionOrEmpty("docker"));
    CardSettings card = card(section.sectionOrEmpty("card"));
    box.read(section);
    Duration tailHold =
        section.duration("tail_hold", Duration.ZERO, Duration.ZERO, Duration.ofMinutes(10));
    SwapgateConfig.Limits limits = box.limits();
    List<Target> notify =
        new NotifyReader(new Secrets(folder)).read(section.sectionOrEmpty("notify"));
    WorkflowsReader named = new WorkflowsReader(folder, box.mediaSettings(), box.modelNames());
    Workflows workflows = named.read(section.sectionOrEmpty("workflows"));
    List<String> ours = List.of(place(listen), place(admin.listen()));
    FallbackSettings fallback =
        new FallbackReader(new ProviderReader(new Secrets(folder), ours))
            .read(section.sectionOrEmpty("fallback"));
    section.done();
    problems.throwIfAny();
    return new SwapgateConfig(
        listen,
        admin,
        stateDir,
        resultsDir,
        box.box(),
        box.workshop(docker, card),
        box.models(),
        tailHold,
        limits,
        metrics,
        notify,
        workflows,
        box.prefetch(),
        fallback,
        box.doors());
  }

  /**
   * By what the command line finds a running swapgate, read from a file that may otherwise be full
   * of problems: whoever asks how things stand need not have the secrets.
   */
  public Contact contact(Optional<Path> file) {
    Contact standard =
        new Contact(
            standard(LISTEN_VARIABLE, DEFAULT_LISTEN),
            standard(ADMIN_LISTEN_VARIABLE, DEFAULT_ADMIN_LISTEN),
            DEFAULT_STATE_DIR);
    if (file.isEmpty() || !Files.isReadable(file.get())) {
      return standard;
    }
    Problems ignored = new Problems(file.get().toString());
    Optional<Node.Mapping> top = YamlDocument.read(ConfigFile.text(file.get(), ignored), ignored);
    if (top.isEmpty()) {
      return standard;
    }
    Section section =
        new Section(
            top.get(), "", new Section.Reading(ignored, new Placeholders(environment, ignored)));
    return new Contact(
        listen(section, "listen", LISTEN_VARIABLE, DEFAULT_LISTEN),
        admin(section.sectionOrEmpty("admin")).listen(),
        path(section, "state_dir", folder(file.get())).orElse(standard.stateDir()));
  }

  /**
   * By what a running swapgate is found.
   *
   * @param stateDir in which its admin token lies
   */
  public record Contact(
      SwapgateConfig.Address listen, SwapgateConfig.Address admin, Path stateDir) {}

  private SwapgateConfig.Address standard(String variable, String fallback) {
    return Addresses.parse(environment.getOrDefault(variable, fallback))
        .or(() -> Addresses.parse(fallback))
        .orElseThrow();
  }

  private SwapgateConfig.Address listen(
      Section section, String key, String variable, String standard) {
    String text = section.text(key).orElse(environment.getOrDefault(variable, standard));
    Optional<SwapgateConfig.Address> address = Addresses.parse(text);
    if (address.isEmpty()) {
      section.problem(key, "is no address; write host:port like " + standard);
    }
    return address.or(() -> Addresses.parse(standard)).orElseThrow();
  }

  private SwapgateConfig.Admin admin(Section section) {
    SwapgateConfig.Address listen =
        listen(section, "listen", ADMIN_LISTEN_VARIABLE, DEFAULT_ADMIN_LISTEN);
    List<String> hosts = section.texts("hosts");
    for (String host : hosts) {
      if (!host.matches("[A-Za-z0-9_.:\\[\\]-]+")) {
        section.problem("hosts", "\"" + host + "\" is no host name; write name or name:port");
      }
    }
    section.done();
    return new SwapgateConfig.Admin(listen, hosts);
  }

  private static Optional<SwapgateConfig.Address> metrics(Section section) {
    Optional<String> text = section.text("listen");
    Optional<SwapgateConfig.Address> address = text.flatMap(Addresses::parse);
    if (text.isPresent() && address.isEmpty()) {
      section.problem("listen", "is no address; write host:port like 127.0.0.1:8486");
    }
    section.done();
    return address;
  }

  private static DockerSettings docker(Section section) {
    String text = section.text("host").orElse("unix:///var/run/docker.sock");
    URI host = URI.create("unix:///var/run/docker.sock");
    try {
      URI read = new URI(text);
      boolean socket =
          "unix".equals(read.getScheme()) && read.getPath() != null && read.getPath().length() > 1;
      boolean tcp = "tcp".equals(read.getScheme()) && read.getHost() != null && read.getPort() > 0;
      if (socket || tcp) {
        host = read;
      } else {
        section.problem("host", "must be unix:///path/docker.sock or tcp://host:port");
      }
    } catch (URISyntaxException e) {
      section.problem("host", "must be unix:///path/docker.sock or tcp://host:port");
    }
    section.done();
    return new DockerSettings(host);
  }

  private static CardSettings card(Section section) {
    OptionalInt index = section.number("index", 0, 63);
    Optional<String> uuid = section.text("uuid");
    if (section.has("index") && uuid.isPresent()) {
      section.problem("uuid", "and index are both given; keep one");
    }
    if (uuid.isPresent() && !uuid.get().matches("(GPU|MIG)-[A-Za-z0-9-]+")) {
      section.problem("uuid", "must look like GPU-…; see nvidia-smi -L");
    }
    String tool = section.text("tool").orElse("nvidia-smi");
    if (tool.isBlank()) {
      section.problem("tool", "is blank; name the program, or remove the key for nvidia-smi");
    }
    section.done();
    return new CardSettings(index, uuid, tool);
  }

  private static Optional<Path> path(Section section, String key, Path folder) {
    Optional<String> text = section.text(key);
    if (text.isPresent() && (text.get().isBlank() || text.get().indexOf('\0') >= 0)) {
      section.problem(key, "is no path");
      return Optional.empty();
    }
    return text.map(value -> folder.resolve(value).normalize());
  }

  private static String place(SwapgateConfig.Address address) {
    return Addresses.place(address.host(), address.port());
  }

  private static Path folder(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    return parent == null ? Path.of("/") : parent;
  }
}
