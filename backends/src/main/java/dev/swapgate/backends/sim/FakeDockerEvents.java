package dev.swapgate.backends.sim;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;

/** The daemon's events: told to whoever listens, and kept for who asks what was. Thread-safe. */
final class FakeDockerEvents {
  private static final int KEPT = 1000;

  /** Later than any end that was asked for. */
  private static final Event END = new Event(Instant.MAX, "", "", "", Map.of());

  private final DockerFaults faults;
  private final List<Event> past = new ArrayList<>();
  private final List<BlockingQueue<Event>> listeners = new ArrayList<>();
  private boolean ended;

  FakeDockerEvents(DockerFaults faults) {
    this.faults = faults;
  }

  /** One event about one container. */
  record Event(Instant at, String action, String id, String name, Map<String, String> attributes) {

    byte[] line() {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("status", action);
      json.put("id", id);
      json.put("from", attributes.getOrDefault("image", ""));
      json.put("Type", "container");
      json.put("Action", action);
      json.put("Actor", Map.of("ID", id, "Attributes", attributes));
      json.put("scope", "local");
      json.put("time", at.getEpochSecond());
      json.put("timeNano", at.getEpochSecond() * 1_000_000_000L + at.getNano());
      return (Json.write(json) + "\n").getBytes(StandardCharsets.UTF_8);
    }
  }

  void publish(String action, String id, String name, Map<String, String> attributes) {
    DockerFaults.Kind fault =
        faults
            .take("event-" + action, name)
            .map(DockerFaults.Fault::kind)
            .orElse(DockerFaults.Kind.SLOW);
    if (fault == DockerFaults.Kind.EVENT_LOST) {
      return;
    }
    Event event = new Event(Instant.now(), action, id, name, attributes);
    tell(event);
    if (fault == DockerFaults.Kind.EVENT_DOUBLED) {
      tell(event);
    }
  }

  private synchronized void tell(Event event) {
    past.add(event);
    if (past.size() > KEPT) {
      past.remove(0);
    }
    listeners.forEach(listener -> listener.add(event));
  }

  /** Writes what was since then, and what comes until then. */
  void follow(Predicate<Event> wanted, Instant since, Instant until, FakeDockerAnswer.Sink sink)
      throws IOException {
    BlockingQueue<Event> queue = listen(since);
    try {
      boolean onlyThePast = until.isBefore(Instant.now());
      while (!(onlyThePast && queue.isEmpty())) {
        Event event = queue.take();
        if (event.at().isAfter(until)) {
          return;
        }
        if (wanted.test(event)) {
          sink.write(event.line());
        }
      }
    } catch (InterruptedException isClosing) {
      Thread.currentThread().interrupt();
    } finally {
      forget(queue);
    }
  }

  private synchronized BlockingQueue<Event> listen(Instant since) {
    BlockingQueue<Event> queue = new LinkedBlockingQueue<>();
    past.stream().filter(event -> !event.at().isBefore(since)).forEach(queue::add);
    if (ended) {
      queue.add(END);
    }
    listeners.add(queue);
    return queue;
  }

  private synchronized void forget(BlockingQueue<Event> queue) {
    listeners.removeIf(listener -> listener == queue);
  }

  /** Ends every stream, as a daemon that goes down does. */
  synchronized void end() {
    ended = true;
    listeners.forEach(listener -> listener.add(END));
  }
}
