package dev.swapgate.proxy.check;

import dev.swapgate.backends.docker.ContainerDetails;
import dev.swapgate.proxy.admin.Finding;
import dev.swapgate.proxy.admin.Finding.Severity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Looks at what Compose would do to the containers it made. */
final class ComposeCheck {
  private static final String DEPENDS_ON = "com.docker.compose.depends_on";

  private ComposeCheck() {}

  static List<Finding> findings(List<Sight> sights) {
    List<Finding> found = new ArrayList<>();
    Map<String, List<Sight>> projects = new TreeMap<>();
    for (Sight sight : sights) {
      sight
          .container()
          .flatMap(ContainerDetails::composeProject)
          .ifPresent(
              project -> projects.computeIfAbsent(project, key -> new ArrayList<>()).add(sight));
    }
    projects.forEach(
        (project, members) -> {
          found.add(project(project, members));
          members.forEach(sight -> found.addAll(links(sight, members)));
        });
    return found;
  }

  /** Not wrong, and yet the two commands that people type by habit break a swap. */
  private static Finding project(String project, List<Sight> members) {
    String services = members.stream().map(ComposeCheck::service).collect(Collectors.joining(" "));
    return new Finding(
        "compose_project",
        Severity.NOTE,
        "",
        "made by the Compose project " + project + ": " + services,
        "docker compose down removes them, so that none can be started again; docker compose up"
            + " starts all that are stopped, so that several are on the card",
        "docker compose -p "
            + project
            + " stop "
            + services
            + " to stop them, up --no-start to make them anew; put the media services into a"
            + " profile, so that up leaves them alone");
  }

  /** Starting the one with Compose would start the other, too. */
  private static List<Finding> links(Sight sight, List<Sight> members) {
    String label =
        sight
            .container()
            .map(container -> container.labels().getOrDefault(DEPENDS_ON, ""))
            .orElse("");
    Set<String> needs =
        Arrays.stream(label.split(","))
            .map(entry -> entry.split(":", 2)[0].strip())
            .collect(Collectors.toSet());
    return members.stream()
        .filter(other -> !other.equals(sight) && needs.contains(service(other)))
        .map(
            other ->
                new Finding(
                    "compose_depends_on",
                    Severity.WARNING,
                    sight.name(),
                    "the service "
                        + service(sight)
                        + " depends on "
                        + service(other)
                        + " (depends_on), and only one of them can have the card",
                    "docker compose up or start of the one starts the other",
                    "take " + service(other) + " out of its depends_on, then " + sight.create()))
        .toList();
  }

  private static String service(Sight sight) {
    return sight
        .container()
        .flatMap(ContainerDetails::composeService)
        .orElse(sight.backend().container());
  }
}
