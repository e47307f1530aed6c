package dev.swapgate.proxy.init;

import dev.swapgate.backends.docker.ContainerDetails;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Goes through the containers of a box and sorts them into backends and doubtful ones. */
final class Survey {

  private final Answers answers;
  private final Recognition recognition;
  private final OptionalLong cardMib;
  private final Set<String> ids = new HashSet<>();
  private final Map<String, String> places = new HashMap<>();
  private final List<Entry> entries = new ArrayList<>();
  private final List<Doubt> doubts = new ArrayList<>();
  private Optional<String> running = Optional.empty();

  /**
   * @param cardMib all memory of the card, as far as it can be read
   */
  Survey(Answers answers, OptionalLong cardMib) {
    this.answers = answers;
    this.recognition = new Recognition(answers);
    this.cardMib = cardMib;
    ids.add("none");
    places.put("127.0.0.1:8484", "swapgate's own listener");
    places.put("127.0.0.1:8485", "swapgate's own admin listener");
  }

  /** What was found but cannot be written as a backend, and why. */
  record Doubt(String container, String image, String what, String why) {}

  /** What came of it; {@code running} is the engine that serves now. */
  record Result(List<Entry> entries, List<Doubt> doubts, Optional<String> running) {}

  Result of(List<ContainerDetails> containers) {
    containers.stream()
        .sorted(
            Comparator.comparing((ContainerDetails one) -> !one.state().equals("running"))
                .thenComparing(ContainerDetails::name))
        .forEach(this::look);
    return new Result(entries, doubts, running);
  }

  private void look(ContainerDetails container) {
    if (container.image().contains("llama-swap")) {
      doubt(
          container,
          "llama-swap",
          "it starts engines itself; see swapgate init --from llama-swap FILE");
      return;
    }
    Optional<Recognition.Recognised> recognised = recognition.of(container);
    if (recognised.isPresent()) {
      add(container, recognised.get());
    } else if (container.asksForGpu()) {
      doubt(
          container,
          "not recognised",
          "it asks for the card. If it must leave it for others, describe it here; a media server"
              + " with an HTTP API as in compose/examples");
    }
  }

  private void add(ContainerDetails container, Recognition.Recognised recognised) {
    KnownServer known = recognised.server();
    if (container.autoRemove()) {
      doubt(container, known.title(), "it was made with --rm and is gone once it is stopped");
      return;
    }
    switch (Address.of(container, known.ports())) {
      case Address.Unknown unknown -> doubt(container, known.title(), unknown.why());
      case Address.Found found -> add(container, recognised, found);
    }
  }

  private void add(
      ContainerDetails container, Recognition.Recognised recognised, Address.Found address) {
    KnownServer known = recognised.server();
    String place = address.url().replaceFirst("^http://", "");
    String other = places.putIfAbsent(place, container.name());
    if (other != null) {
      doubt(
          container,
          known.title(),
          "its address " + place + " is that of " + other + " too; each needs a port of its own");
      return;
    }
    String id = id(container, known);
    List<String> comments = new ArrayList<>();
    comments.add(known.title() + ", " + recognised.by() + " (" + container.image() + ").");
    if (!address.remark().isEmpty()) {
      comments.add(address.remark());
    }
    seen(container, known, address.url()).ifPresent(comments::add);
    restarts(container).ifPresent(comments::add);
    Optional<Vram> vram = Vram.of(known, container, cardMib);
    entries.add(
        new Entry(
            id,
            container.name(),
            address.url(),
            known,
            comments,
            vram.map(Vram::size).orElse(""),
            vram.map(Vram::reason).orElse(""),
            Map.of()));
    if (known.isEngine() && container.state().equals("running") && running.isEmpty()) {
      running = Optional.of(id);
    }
  }

  private Optional<String> seen(ContainerDetails container, KnownServer known, String url) {
    if (!container.state().equals("running")) {
      return Optional.of("It does not run now, so it was not asked.");
    }
    if (known.path().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        answers
            .get(url + known.path())
            .map(
                answer ->
                    switch (answer.status()) {
                      case 200 -> "It runs, and " + known.path() + " answers 200.";
                      case 401, 403 ->
                          "It runs, but %s answers %d: give readiness.headers."
                              .formatted(known.path(), answer.status());
                      default ->
                          "It runs, but %s answers %d now: loading, or the wrong path."
                              .formatted(known.path(), answer.status());
                    })
            .orElse("It runs, but does not answer at this url yet."));
  }

  private static Optional<String> restarts(ContainerDetails container) {
    String policy = container.restartPolicy();
    return policy.isEmpty() || policy.equals("no")
        ? Optional.empty()
        : Optional.of(
            "It restarts by itself (%s), onto the card: docker update --restart=no %s"
                .formatted(policy, container.name()));
  }

  private String id(ContainerDetails container, KnownServer known) {
    String name = container.composeService().orElse(container.name()).toLowerCase(Locale.ROOT);
    // A media server that is called after its program is asked for by what it makes.
    boolean says = known.isEngine() || !known.image().matcher(name).find();
    String id = Names.free(says ? name : known.word(), known.word(), ids);
    ids.add(id);
    return id;
  }

  private void doubt(ContainerDetails container, String what, String why) {
    doubts.add(new Doubt(container.name(), container.image(), what, why));
  }
}
