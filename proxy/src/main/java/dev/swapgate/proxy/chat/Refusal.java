package dev.swapgate.proxy.chat;

import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.Phase;
import dev.swapgate.proxy.http.ErrorAnswer;
import java.util.List;
import java.util.Locale;

/**
 * What a client is told while the turnstile is shut. The words are load-bearing: clients classify
 * by them, and one wrong word turns a wait into a lost session or a paid fallback.
 */
final class Refusal {

  /** Words that make some client give up, compress its history or pay someone else. */
  static final List<String> FORBIDDEN =
      List.of(
          "overload",
          "capacity",
          "quota",
          "usage limit",
          "limit exceeded",
          "billing",
          "credit",
          "payment",
          "exhausted",
          "balance",
          "will reset at",
          "context",
          "token",
          "memory",
          "origin",
          "bad gateway",
          "cloudflare",
          "daily",
          "weekly",
          "monthly",
          "content_filter");

  private static final int LONGEST_REASON = 200;

  private Refusal() {}

  static ErrorAnswer of(GateView view, int trueSeconds, Profile profile) {
    int n = profile.retryAfter(trueSeconds);
    return switch (view.refusal()) {
      case RATE_LIMIT -> away(view, n, profile);
      case DEGRADED ->
          ErrorAnswer.unavailable(
              "degraded",
              "swapgate: the chat engine could not be started and is being tried again"
                  + reason(view)
                  + ". Next look in "
                  + n
                  + " seconds.",
              n);
      case STOPPED_BY_HAND ->
          ErrorAnswer.unavailable(
              "stopped_by_hand",
              "swapgate: the chat engine was stopped by hand and is left alone"
                  + reason(view)
                  + ". Next look in "
                  + n
                  + " seconds.",
              n);
    };
  }

  /**
   * The refusal of a request for which fallback providers were looked at first. Whoever is told to
   * come back when the first of them is free again is not told to wait for the engine.
   */
  static ErrorAnswer after(Declined why, GateView view, int trueSeconds, Profile profile) {
    return switch (why) {
      case Declined.NotServed notServed -> of(view, trueSeconds, profile);
      case Declined.Failed failed -> of(view, trueSeconds, profile).withCode("fallback_failed");
      case Declined.Cooling cooling -> {
        long left = Math.ceilDiv(cooling.left().toMillis(), 1000L);
        long free = Math.max(left, view.outlook().min().toSeconds());
        yield of(view, (int) Math.min(trueSeconds, free), profile).withCode("fallback_cooling");
      }
    };
  }

  /** The last words of an answer that had to end before the engine was through with it. */
  static ErrorAnswer cut(int seconds) {
    return ErrorAnswer.rateLimited(
        "Rate limit: the GPU is needed for a media job. Please retry after "
            + seconds
            + " seconds.",
        seconds);
  }

  private static ErrorAnswer away(GateView view, int n, Profile profile) {
    if (profile.status() == 503) {
      return ErrorAnswer.unavailable(
          "gpu_busy",
          "swapgate: " + where(view) + " and is expected back in " + n + " seconds.",
          n);
    }
    return ErrorAnswer.rateLimited(
        "Rate limit: " + where(view) + ". Please retry after " + n + " seconds.", n);
  }

  private static String where(GateView view) {
    if (view.phase() == Phase.BOOTING) {
      return "the GPU is busy loading the chat engine";
    }
    return view.phase() == Phase.MAINTENANCE
        ? "the GPU is in maintenance"
        : "the GPU is busy with a media job";
  }

  /** The gate's own reason, unless it holds a word that a client would misread. */
  private static String reason(GateView view) {
    String reason = view.reason().strip();
    String lower = reason.toLowerCase(Locale.ROOT);
    boolean harmless =
        !reason.isEmpty()
            && reason.length() <= LONGEST_REASON
            && FORBIDDEN.stream().noneMatch(lower::contains);
    return harmless ? " (" + reason + ")" : " (swapgate status tells why)";
  }
}
