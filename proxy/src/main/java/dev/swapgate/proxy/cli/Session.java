package dev.swapgate.proxy.cli;

import dev.swapgate.proxy.config.ConfigLoader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What all commands of one call share: the terminal, the global options, the way to swapgate.
 * Thread-safe.
 */
final class Session implements AutoCloseable {

  static final String ADMIN_VARIABLE = "SWAPGATE_ADMIN";
  static final String TOKEN_VARIABLE = "SWAPGATE_TOKEN";

  private final Terminal terminal;
  private final GlobalOptions options;
  private final ConfigLoader loader;
  private Optional<HttpClient> http = Optional.empty();

  Session(Terminal terminal, GlobalOptions options) {
    this.terminal = terminal;
    this.options = options;
    this.loader = new ConfigLoader(terminal.environment());
  }

  Terminal terminal() {
    return terminal;
  }

  ConfigLoader loader() {
    return loader;
  }

  /** The configuration file that applies; empty when none is named and none is found. */
  Optional<Path> configFile() {
    return loader.locate(options.config(), terminal.folder());
  }

  /** The configuration file that applies; a {@link CliException} tells where it was looked for. */
  Path requiredConfigFile() {
    return configFile()
        .orElseThrow(
            () ->
                new CliException(
                    ExitCode.BAD_CONFIGURATION,
                    "no configuration was found; name it with --config or $"
                        + ConfigLoader.FILE_VARIABLE
                        + ", or put it at one of "
                        + String.join(
                            ", ",
                            loader.places(terminal.folder()).stream()
                                .map(Path::toString)
                                .toList())));
  }

  /** What the configuration says of where swapgate listens, however wrong the rest of it is. */
  ConfigLoader.Contact contact() {
    return loader.contact(configFile());
  }

  /** Somebody said which swapgate is meant: no other will do. */
  boolean namesAdmin() {
    return named().isPresent();
  }

  private Optional<String> named() {
    return options.admin().or(() -> variable(ADMIN_VARIABLE));
  }

  AdminClient admin() {
    Optional<String> named = named();
    ConfigLoader.Contact contact = contact();
    URI base = named.map(Session::base).orElseGet(() -> URI.create(contact.admin().baseUrl()));
    Path file = contact.stateDir().resolve("admin.token");
    Optional<String> token =
        options.tokenFile().map(this::named).or(() -> variable(TOKEN_VARIABLE));
    if (token.isEmpty() && (named.isEmpty() || isLoopback(base))) {
      token = found(file);
    }
    return new AdminClient(
        http(isHttps(base)),
        base,
        token,
        "the token is read from --token-file, $" + TOKEN_VARIABLE + " or " + file);
  }

  private synchronized HttpClient http(boolean encrypted) {
    HttpClient client = http.orElseGet(() -> AdminClient.http(encrypted));
    http = Optional.of(client);
    return client;
  }

  /** Gives up what is still being asked: Java waits 300 ms at its end for a client left open. */
  @Override
  public synchronized void close() {
    http.ifPresent(HttpClient::shutdownNow);
    http = Optional.empty();
  }

  private Optional<String> variable(String name) {
    return Optional.ofNullable(terminal.environment().get(name)).filter(value -> !value.isBlank());
  }

  private static URI base(String text) {
    try {
      URI uri = URI.create(text.replaceAll("/+$", ""));
      if (uri.getHost() != null && ("http".equals(uri.getScheme()) || isHttps(uri))) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      throw new CliException(ExitCode.REFUSED, notABase(text), e);
    }
    throw new CliException(ExitCode.REFUSED, notABase(text));
  }

  private static String notABase(String text) {
    return "\"" + text + "\" is no address of the admin API; write http://127.0.0.1:8485";
  }

  private static boolean isHttps(URI uri) {
    return "https".equals(uri.getScheme());
  }

  /** A token that was merely found is sent to this machine only. */
  private static boolean isLoopback(URI base) {
    String host = base.getHost();
    return host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
  }

  private String named(Path file) {
    Path path = terminal.folder().resolve(file);
    try {
      return Files.readString(path).strip();
    } catch (IOException e) {
      throw new CliException(
          ExitCode.REFUSED, "cannot read the token file " + path + "; check path and rights", e);
    }
  }

  private static Optional<String> found(Path file) {
    try {
      return Optional.of(Files.readString(file).strip()).filter(token -> !token.isEmpty());
    } catch (IOException e) {
      // Another user's token: on loopback none may be needed, and a refusal names the file.
      return Optional.empty();
    }
  }
}
