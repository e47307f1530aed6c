package dev.swapgate.proxy.config;

import dev.swapgate.backends.settings.BackendSettings;
import java.time.Duration;
import java.util.Optional;

/** Reads {@code door} and {@code door_idle} of a media backend. */
final class DoorReader {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration IDLE = Duration.ofMinutes(10);
  private static final Duration DAY = Duration.ofDays(1);

  private DoorReader() {}

  /** Takes a place that only one can have; tells the section when it is taken. */
  interface Places {
    void take(String place, String key, String words);
  }

  static Optional<SwapgateConfig.Door> read(
      Section section, BackendSettings backend, Places places) {
    if (!backend.isServer()) {
      return Optional.empty();
    }
    Optional<String> text = section.text("door");
    Duration idle = section.duration("door_idle", IDLE, SECOND, DAY);
    Optional<SwapgateConfig.Address> address = text.flatMap(Addresses::parse);
    if (text.isPresent() && address.isEmpty()) {
      section.problem("door", "is no address; write host:port like 127.0.0.1:8188");
    } else if (text.isEmpty() && section.has("door_idle")) {
      section.problem("door_idle", "is of no use without door");
    }
    if (address.isPresent()) {
      if ("https".equals(backend.url().getScheme())) {
        section.problem("door", "leads to plain HTTP only; give url with http://");
      }
      if (address.get().port() != 0) {
        places.take(
            Addresses.place(address.get().host(), address.get().port()),
            "door",
            address.get().toString());
      }
    }
    return address.map(listen -> new SwapgateConfig.Door(backend.id(), listen, idle));
  }
}
