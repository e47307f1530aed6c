package dev.swapgate.proxy.config;

import dev.swapgate.backends.settings.BackendSettings;
import dev.swapgate.backends.settings.CardSettings;
import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.backends.settings.ReadinessSettings;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Budgets;
import dev.swapgate.gate.core.Engine;
import dev.swapgate.gate.core.Media;
import dev.swapgate.gate.core.Policy;
import dev.swapgate.proxy.notify.Target;
import dev.swapgate.proxy.workflows.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** A configuration written out with all its defaults; secrets show as {@code ***}. */
public final class EffectiveConfig {

  static final String HIDDEN = "\"***\"";
  private static final long MIB = 1L << 20;

  private final List<String> lines = new ArrayList<>();

  private EffectiveConfig() {}

  /** In the form of {@code swapgate.yaml}, line by line. */
  public static List<String> lines(SwapgateConfig config) {
    EffectiveConfig text = new EffectiveConfig();
    text.write(config);
    return List.copyOf(text.lines);
  }

  private void write(SwapgateConfig config) {
    line(0, "listen", quoted(config.listen().toString()));
    line(0, "admin", "");
    line(1, "listen", quoted(config.admin().listen().toString()));
    line(1, "hosts", list(config.admin().hosts()));
    line(0, "state_dir", quoted(config.stateDir().toString()));
    line(0, "results_dir", quoted(config.resultsDir().toString()));
    line(0, "docker", "");
    line(1, "host", quoted(config.workshop().docker().host().toString()));
    card(config.workshop().card());
    line(0, "selected", config.box().selected().value());
    line(0, "engines", "");
    for (BackendSettings settings : config.workshop().engines()) {
      engine(settings, config);
    }
    line(0, "media", config.workshop().media().isEmpty() ? "{}" : "");
    for (MediaSettings settings : config.workshop().media()) {
      media(settings, config);
    }
    config.box().fallbackEngine().ifPresent(id -> line(0, "fallback_engine", id.value()));
    config.box().batchEngine().ifPresent(id -> line(0, "batch_engine", id.value()));
    rules(config);
  }

  private void card(CardSettings card) {
    line(0, "card", "");
    card.index().ifPresent(index -> line(1, "index", String.valueOf(index)));
    card.uuid().ifPresent(uuid -> line(1, "uuid", quoted(uuid)));
    line(1, "tool", quoted(card.tool()));
  }

  private void rules(SwapgateConfig config) {
    Policy policy = config.box().policy();
    line(0, "retry_after", "");
    line(1, "min", policy.retryAfterMin());
    line(1, "max", policy.retryAfterMax());
    line(0, "tail_hold", config.tailHold());
    line(0, "policy", "");
    line(1, "min_chat", policy.minChat());
    line(1, "max_outage", policy.maxOutage());
    line(1, "linger", policy.linger());
    line(1, "hand_lease", policy.handLease());
    line(1, "idle", policy.idle());
    line(1, "batch_quiet", policy.batchQuiet());
    line(0, "limits", "");
    line(1, "queue", String.valueOf(config.limits().queue()));
    line(1, "request_body", Sizes.text(config.limits().requestBodyBytes()));
    line(1, "held", String.valueOf(config.limits().held()));
    line(1, "results_keep", config.limits().resultsKeep());
    config
        .metricsListen()
        .ifPresent(
            address -> {
              line(0, "metrics", "");
              line(1, "listen", quoted(address.toString()));
            });
    if (!config.notices().isEmpty()) {
      line(0, "notify", "");
      config.notices().forEach(this::target);
    }
    if (!config.workflows().all().isEmpty()) {
      line(0, "workflows", "");
      config.workflows().all().forEach(this::workflow);
    }
    lines.addAll(FallbackLines.of(config.fallback()));
  }

  private void target(Target target) {
    line(1, target.name(), "");
    line(2, "shape", target.shape().word());
    line(2, "url", quoted(target.url().getScheme() + "://" + target.url().getAuthority() + "/***"));
    line(2, "on", new TreeSet<>(target.on()).toString());
    if (!target.headers().isEmpty()) {
      line(2, "headers", "");
      new TreeSet<>(target.headers().keySet()).forEach(name -> line(3, quoted(name), HIDDEN));
    }
    line(2, "timeout", target.timeout());
  }

  private void workflow(Workflow workflow) {
    line(1, workflow.name(), "");
    line(2, "backend", workflow.backend().value());
    line(2, "file", quoted(workflow.file().toString()));
    line(2, "makes", workflow.makes());
    if (!workflow.inputs().isEmpty()) {
      line(2, "inputs", "");
      workflow.inputs().forEach(input -> line(3, input.name(), quoted(input.at())));
    }
  }

  private void engine(BackendSettings settings, SwapgateConfig config) {
    Engine engine = config.box().engine(settings.id()).orElseThrow();
    line(1, settings.id().value(), "");
    backend(settings, engine);
    line(2, "drain", engine.budgets().drain());
    engine.restore().ifPresent(restore -> line(2, "restore", restore));
    line(2, "attempts", String.valueOf(engine.attempts()));
    if (!config.models(settings.id()).isEmpty()) {
      line(2, "models", "");
      config.models(settings.id()).forEach((name, model) -> line(3, quoted(name), quoted(model)));
    }
    if (config.prefetch().containsKey(settings.id())) {
      line(2, "prefetch", list(config.prefetch().get(settings.id())));
    }
  }

  private void media(MediaSettings settings, SwapgateConfig config) {
    Media media = config.box().media(settings.backend().id()).orElseThrow();
    line(1, settings.backend().id().value(), "");
    line(2, "type", settings.type().word());
    backend(settings.backend(), media);
    line(2, "generation", media.generation());
    line(2, "job_budget", media.jobBudget());
    line(2, "no_progress", media.noProgress());
    line(2, "tries", String.valueOf(media.tries()));
    line(2, "max_file", Sizes.text(settings.maxFileBytes()));
    if (!settings.apiKey().isEmpty()) {
      line(2, "api_key", HIDDEN);
    }
    config
        .door(settings.backend().id())
        .ifPresent(
            door -> {
              line(2, "door", quoted(door.listen().toString()));
              line(2, "door_idle", door.idle());
            });
    RecipeLines.of(settings.type()).forEach(text -> lines.add("    " + text));
  }

  private void backend(BackendSettings settings, Backend backend) {
    Budgets budgets = backend.budgets();
    line(2, "container", quoted(settings.container()));
    if (settings.isServer()) {
      line(2, "url", quoted(settings.url().toString()));
      readiness(settings.readiness(), budgets);
    }
    budgets.stopGracePeriod().ifPresent(grace -> line(2, "stop_grace_period", grace));
    line(2, "release", budgets.release());
    line(2, "start", budgets.start());
    budgets.vramMib().ifPresent(mib -> line(2, "vram", Sizes.text(mib * MIB)));
  }

  private void readiness(ReadinessSettings readiness, Budgets budgets) {
    line(2, "readiness", "");
    line(3, "path", quoted(readiness.path()));
    line(3, "accept", new TreeSet<>(readiness.accept()).toString());
    line(3, "body_contains", quoted(readiness.bodyContains()));
    line(3, "headers", readiness.headers().isEmpty() ? "{}" : "");
    new TreeSet<>(readiness.headers().keySet()).forEach(name -> line(4, quoted(name), HIDDEN));
    line(3, "budget", budgets.readiness());
    line(3, "interval", budgets.interval());
    line(3, "timeout", readiness.timeout());
    line(3, "passes", String.valueOf(budgets.passes()));
  }

  private void line(int depth, String key, Duration value) {
    line(depth, key, Durations.text(value));
  }

  private void line(int depth, String key, String value) {
    lines.add("  ".repeat(depth) + key + ":" + (value.isEmpty() ? "" : " " + value));
  }

  static String list(List<String> texts) {
    return "[" + String.join(", ", texts.stream().map(EffectiveConfig::quoted).toList()) + "]";
  }

  static String quoted(String text) {
    return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }
}
