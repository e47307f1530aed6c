package dev.swapgate.proxy.check;

import dev.swapgate.gate.core.ProbeResult;
import dev.swapgate.proxy.admin.Finding;
import dev.swapgate.proxy.admin.Finding.Severity;
import java.util.Optional;

/** Looks at what the readiness path of a running backend answers: would it ever be seen ready? */
final class ReadinessCheck {

  private ReadinessCheck() {}

  static Optional<Finding> finding(Sight sight, ProbeResult result) {
    if (!(result instanceof ProbeResult.NotReady seen)) {
      return Optional.empty();
    }
    String reason = seen.reason();
    String what =
        "the readiness path "
            + sight.backend().readiness().path()
            + " of "
            + sight.name()
            + ", which runs, answers: "
            + reason;
    if (reason.matches("(?s)status 40[13]\\b.*")) {
      return Optional.of(
          new Finding(
              "readiness_unauthorized",
              Severity.PROBLEM,
              sight.name(),
              what,
              "it wants a key, so it would be taken for not ready after every swap",
              "set "
                  + sight.key("readiness.path")
                  + " to a path without a key, such as /health, or give the key under"
                  + " readiness.headers"));
    }
    if (reason.matches("(?s)status (3\\d\\d|40[045])\\b.*")) {
      return Optional.of(
          new Finding(
              "readiness_path_wrong",
              Severity.PROBLEM,
              sight.name(),
              what,
              "that status does not change with time, so it would never be seen ready",
              "set "
                  + sight.key("readiness.path")
                  + " to the path that answers 200 once it is ready; try curl -i "
                  + sight.backend().url()
                  + sight.backend().readiness().path()));
    }
    boolean healthy =
        sight.container().flatMap(one -> one.health()).filter("healthy"::equals).isPresent();
    return Optional.of(
        new Finding(
            "readiness_unanswered",
            healthy ? Severity.PROBLEM : Severity.WARNING,
            sight.name(),
            what,
            healthy
                ? "Docker calls it healthy, so it is up and the address or path is the wrong one"
                : "it may still be loading; if it stays so it would never be seen ready",
            "compare "
                + sight.key("url")
                + " and readiness.path with what it listens on: docker logs --tail 20 "
                + sight.backend().container()));
  }
}
