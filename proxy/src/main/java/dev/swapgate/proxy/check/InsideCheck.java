package dev.swapgate.proxy.check;

import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.proxy.admin.Finding;
import dev.swapgate.proxy.admin.Finding.Severity;
import java.util.List;

/** Says what running commands inside containers widens. */
final class InsideCheck {

  private InsideCheck() {}

  static List<Finding> findings(List<MediaSettings> media) {
    return media.stream()
        .filter(one -> one.type() instanceof MediaSettings.Type.Exits exits && exits.isInside())
        .map(InsideCheck::finding)
        .toList();
  }

  private static Finding finding(MediaSettings media) {
    String container = media.backend().container();
    return new Finding(
        "commands_inside",
        Severity.NOTE,
        media.backend().id().value(),
        "its jobs are commands run inside " + container + " (key inside)",
        "swapgate needs Docker's exec calls for it: whoever takes swapgate over can run anything in"
            + " that container, as any user",
        "behind docker-proxy.cfg set CONTAINERS_INSIDE="
            + container
            + "; without inside, the container itself is the job and needs none of it");
  }
}
