package dev.swapgate.proxy.app;

import dev.swapgate.proxy.config.ConfigChange;
import dev.swapgate.proxy.config.ConfigException;
import dev.swapgate.proxy.config.SwapgateConfig;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configuration that applies now. Read again, it is checked first and then applied as far as
 * that can be done while everything runs; the rest waits for a restart and is named. Thread-safe.
 */
final class LiveConfig implements Supplier<SwapgateConfig> {
  private static final Logger LOG = LoggerFactory.getLogger(LiveConfig.class);

  private final Supplier<SwapgateConfig> file;
  private volatile SwapgateConfig now;
  private volatile Application application = (config, what) -> {};

  /** Lets what is new in a configuration apply, and tells people what that is. */
  interface Application {
    void apply(SwapgateConfig config, String what);
  }

  /**
   * @param file reads and checks it; throws {@link ConfigException}
   */
  LiveConfig(Supplier<SwapgateConfig> file) {
    this.file = file;
    this.now = file.get();
  }

  @Override
  public SwapgateConfig get() {
    return now;
  }

  void appliedBy(Application application) {
    this.application = application;
  }

  /** Reads the file again; a wrong one changes nothing. Blocks until the rest applies. */
  synchronized void reload() {
    try {
      SwapgateConfig wanted = file.get();
      SwapgateConfig next = now.withWhatMayChange(wanted);
      String what =
          told(names(now, next, ConfigChange::toString, "a file that it names"))
              + waiting(names(next, wanted, ConfigChange::path, "a secret"));
      now = next;
      application.apply(next, what);
    } catch (ConfigException e) {
      LOG.error("the configuration was read again and is wrong; nothing was changed: {}", told(e));
    } catch (RuntimeException e) {
      LOG.error("the configuration was read again and could not be applied", e);
    }
  }

  private static String told(ConfigException wrong) {
    return wrong.problems().stream().map(Object::toString).collect(Collectors.joining("; "));
  }

  /** The keys that differ; what lies behind one cannot be seen in what is written. */
  private static List<String> names(
      SwapgateConfig one,
      SwapgateConfig other,
      Function<ConfigChange, String> name,
      String hidden) {
    List<String> names = ConfigChange.between(one, other).stream().map(name).toList();
    return names.isEmpty() && !one.equals(other) ? List.of(hidden) : names;
  }

  private static String told(List<String> applied) {
    return "the configuration was read again: "
        + (applied.isEmpty() ? "nothing to apply" : String.join(", ", applied));
  }

  private static String waiting(List<String> names) {
    return names.isEmpty() ? "" : "; only after a restart: " + String.join(", ", names);
  }
}
