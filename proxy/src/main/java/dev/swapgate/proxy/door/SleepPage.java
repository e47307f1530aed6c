package dev.swapgate.proxy.door;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.core.Phase;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * The page of a server that does not run: what waking it costs, what waits already, and a button;
 * then how far it is. It needs no script, and asks for nothing else.
 *
 * @param inside how many answers of the chat engine are under way
 * @param target what was asked for, and is shown once the server is there
 */
record SleepPage(
    Backend.Id server, GateView view, int inside, Now now, Stand stand, String target) {

  private static final String FRAME =
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      %s<title>%s</title>
      <style>
      :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
      body { max-width: 34rem; margin: 15vh auto; padding: 0 1.5rem; }
      h1 { font-size: 1.5rem; }
      button { font: inherit; padding: .6rem 1.6rem; border-radius: .4rem; cursor: pointer; }
      li.now { font-weight: bold; }
      .small { opacity: .7; font-size: .875rem; }
      </style>
      </head>
      <body>
      <h1>%s</h1>
      %s<p class="small">swapgate keeps this port: one card, one server at a time.</p>
      </body>
      </html>
      """;

  private static final String AGAIN = "<meta http-equiv=\"refresh\" content=\"2\">\n";

  /** The way to the card, as far as it is seen from here. */
  private static final List<Phase> WAY =
      List.of(Phase.DRAINING, Phase.STOPPING_ENGINE, Phase.FREEING, Phase.STARTING_MEDIA);

  String html() {
    return switch (stand) {
      case Stand.Asleep asleep -> frame("", server + " sleeps", cost() + queue() + button("Wake"));
      case Stand.Refused refused ->
          frame(
              "",
              server + " cannot be woken now",
              paragraph(refused.error().message()) + queue() + button("Try again to wake"));
      case Stand.Coming coming -> frame(AGAIN, server + " is being woken", way());
      case Stand.Awake awake -> frame(AGAIN, server + " is awake", "");
    };
  }

  private static String frame(String refresh, String title, String content) {
    return FRAME.formatted(refresh, escaped(title), escaped(title), content);
  }

  private String cost() {
    StringBuilder cost = new StringBuilder();
    if (view.chatOpen()) {
      cost.append("Chat has the card now, and waits while ").append(server).append(" has it. ");
      cost.append(inside == 0 ? "" : answers() + " finished first. ");
      cost.append(back("Afterwards chat needs some %s to come back."));
    } else {
      cost.append("Chat waits already: ").append(view.reason()).append(". ");
      cost.append(back("It is expected back in %s; a visit here makes that later."));
    }
    return paragraph(cost + starts());
  }

  private String answers() {
    return inside == 1 ? "One answer under way is" : inside + " answers under way are";
  }

  private String back(String sentence) {
    Duration left = view.outlook().left(now);
    return left.toSeconds() == 0 ? "" : sentence.formatted(words(left)) + " ";
  }

  private String starts() {
    return view.media().stream()
        .filter(one -> one.id().equals(server))
        .flatMap(one -> one.lastReady().stream())
        .findFirst()
        .map(took -> "The start of " + server + " itself takes about " + words(took) + ".")
        .orElse("");
  }

  private String queue() {
    String runs = view.running() == 0 ? "" : "A job runs. ";
    String waits =
        switch (view.queued()) {
          case 0 -> "";
          case 1 -> "One job waits.";
          default -> view.queued() + " jobs wait.";
        };
    return (runs + waits).isEmpty() ? "" : paragraph(runs + waits);
  }

  private String button(String word) {
    String back = URLEncoder.encode(target, StandardCharsets.UTF_8);
    return "<form method=\"post\" action=\""
        + OwnPages.WAKE
        + "?to="
        + back
        + "\"><button>"
        + escaped(word + " " + server)
        + "</button></form>\n";
  }

  private String way() {
    StringBuilder steps = new StringBuilder("<ol>\n");
    for (Phase step : WAY) {
      steps
          .append(step == view.phase() ? "<li class=\"now\">" : "<li>")
          .append(escaped(words(step)))
          .append("</li>\n");
    }
    String since =
        view.swap().map(swap -> " for " + words(now.steady().minus(swap.sinceSteady()))).orElse("");
    String why = view.reason().isBlank() ? "" : ": " + view.reason();
    return steps.append("</ol>\n")
        + paragraph("Under way" + since + why + ".")
        + queue()
        + paragraph("This page moves on by itself.");
  }

  private String words(Phase step) {
    return switch (step) {
      case DRAINING -> "answers of the chat engine finish" + (inside > 0 ? ": " + inside : "");
      case STOPPING_ENGINE -> "the chat engine stops";
      case FREEING -> "the card is proven free";
      case STARTING_MEDIA -> server + " starts" + starting();
      default -> step.toString();
    };
  }

  private String starting() {
    String took = starts();
    return took.isEmpty() ? "" : " (" + took.replaceAll(".*takes | *\\.$", "") + ")";
  }

  static String words(Duration time) {
    long seconds = Math.max(1, time.toSeconds());
    return seconds < 60
        ? seconds + " s"
        : seconds / 60 + " min" + (seconds % 60 == 0 ? "" : " " + seconds % 60 + " s");
  }

  private static String paragraph(String text) {
    return "<p>" + escaped(text.strip()) + "</p>\n";
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
