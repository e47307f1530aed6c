package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.model.Event;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What the daemon says happened to the containers of one box, in its own order. */
final class DockerEvents implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final List<String> seen = new CopyOnWriteArrayList<>();
  private final Reader reader;

  /**
   * @param prefix with which the names of the box's containers begin; it is left out of the events
   */
  DockerEvents(DockerClient docker, String prefix) throws InterruptedException {
    this.reader = docker.eventsCmd().exec(new Reader(prefix));
    reader.awaitStarted();
  }

  private final class Reader extends ResultCallback.Adapter<Event> {
    private final String prefix;

    Reader(String prefix) {
      this.prefix = prefix;
    }

    @Override
    public void onNext(Event event) {
      var actor = event.getActor();
      if (actor == null || actor.getAttributes() == null || event.getAction() == null) {
        return;
      }
      String name = actor.getAttributes().getOrDefault("name", "");
      if (name.startsWith(prefix)) {
        seen.add(event.getAction() + " " + name.substring(prefix.length()));
      }
    }
  }

  /** As {@code die vllm}: every start, kill and die so far. */
  List<String> all() {
    return seen.stream().filter(line -> line.matches("(start|kill|die) .*")).toList();
  }

  /** Waits for it, since events come a little after what they tell. */
  List<String> allOnceSeen(String last, int times) {
    Await.until(
        () -> times + " x " + last + " in " + all(),
        PATIENCE,
        () -> all().stream().filter(last::equals).count() >= times);
    return all();
  }

  /** Since the engine was started first: one swap there and one back, each container alone. */
  void assertOneVisit(Place engine, Place media) {
    assertThat(allOnceSeen("start " + engine, 2))
        .containsExactly(
            "start " + engine,
            "kill " + engine,
            "die " + engine,
            "start " + media,
            "kill " + media,
            "die " + media,
            "start " + engine);
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
