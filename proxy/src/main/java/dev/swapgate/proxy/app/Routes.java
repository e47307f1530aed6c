package dev.swapgate.proxy.app;

import dev.swapgate.backends.catalog.Workshop;
import dev.swapgate.backends.settings.BackendSettings;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.port.JobStore;
import dev.swapgate.gate.runtime.Gate;
import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.proxy.admin.AdminParts;
import dev.swapgate.proxy.admin.AdminSite;
import dev.swapgate.proxy.admin.Finding;
import dev.swapgate.proxy.admin.RehearsalDesk;
import dev.swapgate.proxy.admin.RehearsalWorld;
import dev.swapgate.proxy.chat.AdmissionHandler;
import dev.swapgate.proxy.chat.ChatSettings;
import dev.swapgate.proxy.config.Durations;
import dev.swapgate.proxy.config.SwapgateConfig;
import dev.swapgate.proxy.fallback.Fallback;
import dev.swapgate.proxy.images.ImagesDesk;
import dev.swapgate.proxy.jobs.JobRoutes;
import io.undertow.server.HttpHandler;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What answers behind each of the two doors. */
final class Routes implements AutoCloseable {
  private final AdmissionHandler chat;
  private final AdminSite admin;
  private final BoxSurroundings surroundings;
  private final Path uploads;
  private volatile Fallback fallback;

  /** Begins to listen to the gate. */
  Routes(
      LiveConfig live,
      SteadyClock clock,
      Gate gate,
      JobStore store,
      Workshop workshop,
      Supplier<List<Finding>> check,
      Executor executor,
      String token,
      Observers observers) {
    SwapgateConfig config = live.get();
    this.fallback = new Fallback(config.fallback());
    ImagesDesk images =
        ImagesDesk.open(
            gate,
            store,
            () -> live.get().workflows(),
            workshop.adapters(),
            config.resultsDir(),
            clock,
            executor);
    this.chat =
        AdmissionHandler.open(
            gate, clock, chatSettings(config), observers.witness(), () -> fallback, images);
    observers.show(gate, chat, () -> fallback);
    this.surroundings =
        new BoxSurroundings(workshop, chat::held, () -> fallback.status(clock.now()));
    this.uploads = config.stateDir().resolve("uploads");
    JobRoutes jobs =
        new JobRoutes(
            gate,
            store,
            workshop.adapters(),
            () -> live.get().workflows(),
            Durations::parse,
            config.resultsDir(),
            uploads,
            clock,
            executor);
    RehearsalDesk rehearsals =
        RehearsalDesk.open(
            gate,
            clock,
            new RehearsalWorld(() -> live.get().box(), workshop.containers(), workshop.meter()),
            executor);
    SwapgateConfig.Address listen = config.admin().listen();
    this.admin =
        new AdminSite(
            new AdminParts(
                gate,
                store,
                surroundings,
                clock,
                Durations::parse,
                () -> live.get().box().policy().handLease(),
                check,
                key -> fallback.clear(key, clock.now()),
                observers.recorder()::underWay,
                executor),
            (routes, prefix) -> {
              jobs.addTo(routes, prefix);
              rehearsals.addTo(routes, prefix);
              routes.get("/metrics", observers.metricsHandler(executor));
            },
            new AdminSite.Access(
                listen.host(), config.admin().hosts(), token, !listen.isLoopback()));
  }

  private static ChatSettings chatSettings(SwapgateConfig config) {
    Map<Backend.Id, ChatSettings.EngineSettings> engines =
        config.workshop().engines().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    BackendSettings::id,
                    engine ->
                        new ChatSettings.EngineSettings(engine.url(), config.models(engine.id()))));
    ChatSettings.Limits standard = ChatSettings.Limits.standard();
    return new ChatSettings(
        engines,
        config.tailHold(),
        new ChatSettings.Limits(
            config.limits().requestBodyBytes(),
            standard.bufferedBytes(),
            standard.bodyPatience(),
            config.limits().held(),
            standard.writeStall()),
        config.stateDir());
  }

  /** Lets apply what may change while all runs; who is being answered is answered to the end. */
  void reconfigure(SwapgateConfig config) {
    chat.reconfigure(chatSettings(config));
    Fallback before = fallback;
    if (!config.fallback().equals(before.settings())) {
      fallback = before.successor(config.fallback());
      before.retire();
    }
  }

  /** Ends visibly what fallback providers are answering. */
  void endFallback() {
    chat.endFallback();
  }

  HttpHandler chat() {
    return chat;
  }

  HttpHandler admin() {
    return admin.handler();
  }

  /** Counts who answered, and how it ended. */
  BiConsumer<String, String> tally() {
    return chat.counters()::add;
  }

  BoxSurroundings surroundings() {
    return surroundings;
  }

  /** Where files that go along with jobs wait. */
  Path uploads() {
    return uploads;
  }

  @Override
  public void close() {
    admin.close();
    fallback.close();
  }
}
