package dev.swapgate.proxy.init;

import dev.swapgate.backends.docker.ContainerDetails;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says what serves in a container: by its image, else by what it answers, else by its name. */
final class Recognition {

  private static final Pattern OWNED_BY = Pattern.compile("\"owned_by\"\\s*:\\s*\"([^\"]{1,40})\"");

  private final Answers answers;

  Recognition(Answers answers) {
    this.answers = answers;
  }

  /**
   * @param by how it was told, to be put behind its title
   */
  record Recognised(KnownServer server, String by) {}

  Optional<Recognised> of(ContainerDetails container) {
    return KnownServers.byImage(container.image())
        .map(known -> new Recognised(known, "by its image"))
        .or(() -> byAnswers(container))
        .or(() -> byName(container));
  }

  /** Only what asks for the card is asked: nobody else's server is. */
  private Optional<Recognised> byAnswers(ContainerDetails container) {
    if (!container.asksForGpu()
        || !container.state().equals("running")
        || !(Address.of(container, List.of(8000)) instanceof Address.Found address)) {
      return Optional.empty();
    }
    String base = address.url();
    Optional<KnownServer> found =
        body(base + "/system_stats")
            .filter(body -> body.contains("\"comfyui_version\""))
            .flatMap(body -> KnownServers.byWord("comfyui"))
            .or(() -> body(base + "/v1/models").flatMap(Recognition::byModels))
            .or(
                () ->
                    body(base + "/")
                        .filter(body -> body.contains("Ollama is running"))
                        .flatMap(body -> KnownServers.byWord("ollama")));
    return found.map(known -> new Recognised(known, "by what it answers"));
  }

  private Optional<String> body(String url) {
    return answers.get(url).filter(answer -> answer.status() == 200).map(Answers.Answer::body);
  }

  private static Optional<KnownServer> byModels(String body) {
    Matcher owner = OWNED_BY.matcher(body);
    return owner.find()
        ? KnownServers.byOwner(owner.group(1).toLowerCase(Locale.ROOT))
        : Optional.empty();
  }

  /** A name alone says little; with the usual port inside the container it is taken. */
  private static Optional<Recognised> byName(ContainerDetails container) {
    String name = container.composeService().orElse(container.name()).toLowerCase(Locale.ROOT);
    return KnownServers.ALL.stream()
        .filter(known -> known.image().matcher(name).find())
        .filter(
            known ->
                container.ports().stream()
                    .anyMatch(
                        port ->
                            known.ports().stream()
                                .anyMatch(usual -> port.containerPort().equals(usual + "/tcp"))))
        .findFirst()
        .map(known -> new Recognised(known, "by its name and port only; check it"));
  }
}
