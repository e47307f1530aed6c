package dev.swapgate.proxy.admin;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.runtime.Gate;
import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.proxy.http.Answer;
import dev.swapgate.proxy.http.Ask;
import dev.swapgate.proxy.http.Decisions;
import dev.swapgate.proxy.http.HttpProblem;
import dev.swapgate.proxy.http.JsonBody;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** What the owner of the box may ask besides jobs. Thread-safe. */
final class AdminDesk {

  private final Gate gate;
  private final Surroundings surroundings;
  private final SteadyClock clock;
  private final Supplier<List<Finding>> check;
  private final Predicate<String> clearCooldown;
  private final HistoryPage history;

  AdminDesk(AdminParts parts) {
    this.gate = parts.gate();
    this.surroundings = parts.surroundings();
    this.clock = parts.clock();
    this.check = parts.check();
    this.clearCooldown = parts.clearCooldown();
    this.history = new HistoryPage(parts.store(), parts.swapUnderWay());
  }

  StatusJson statusNow() {
    return StatusJson.of(gate.view(), gate.retryAfterSeconds(), clock.now(), surroundings);
  }

  Answer status(Ask ask) {
    return Answer.json(200, statusNow());
  }

  Answer select(Ask ask) {
    String engine = JsonBody.parse(ask.body(), Set.of("engine")).text("engine");
    Decisions.await(gate.select(new Backend.Id(engine)));
    return Answer.json(200, statusNow());
  }

  Answer maintenance(Ask ask) {
    boolean on = JsonBody.parse(ask.body(), Set.of("on")).flag("on");
    Decisions.await(gate.maintenance(on));
    return Answer.json(200, statusNow());
  }

  Answer history(Ask ask) {
    return history.answer(ask);
  }

  Answer check(Ask ask) {
    return Answer.json(200, Map.of("findings", check.get()));
  }

  Answer version(Ask ask) {
    return Answer.json(200, Map.of("name", "swapgate", "version", surroundings.version()));
  }

  Answer clearCooldown(Ask ask) {
    // A model's name may have a slash in it, which the library leaves as it was sent.
    String key = ask.parameter("key").replace("%2F", "/").replace("%2f", "/");
    if (!clearCooldown.test(key)) {
      throw new HttpProblem(404, "unknown_cooldown", "no cooldown is named " + key);
    }
    return Answer.json(200, statusNow());
  }

  Answer page(Ask ask) {
    GateView view = gate.view();
    return Answer.plain(
        200,
        "swapgate "
            + surroundings.version()
            + "\nchat is "
            + (view.chatOpen() ? "open" : "not open")
            + "\nphase "
            + view.phase().word()
            + "\nmore: swapgate status, or GET /api/v1/status\n");
  }

  Answer healthz(Ask ask) {
    return Answer.plain(200, "alive\n");
  }

  Answer readyz(Ask ask) {
    GateView view = gate.view();
    return gate.turnstile().isOpen()
        ? Answer.plain(200, "chat is open\n")
        : Answer.plain(503, "chat is not open: " + view.phase().word() + "\n");
  }
}
