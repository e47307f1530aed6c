package dev.swapgate.proxy.notify;

import dev.swapgate.gate.core.GateEvent;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.Phase;
import dev.swapgate.gate.port.GateListener;
import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.proxy.history.JobEnds;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells the targets when chat cannot be served and when it can again, and how jobs ended. The
 * gate's thread only leaves a notice in bounded boxes.
 */
public final class Notifier implements GateListener, AutoCloseable {

  private static final Duration CONNECT = Duration.ofSeconds(10);

  private final SteadyClock clock;
  private final List<Target> targets;
  private final List<Mailbox> boxes;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final JobEnds ends = new JobEnds();
  private boolean degraded;

  public Notifier(List<Target> targets, SteadyClock clock) {
    this(targets, clock, null);
  }

  /**
   * @param pause how tries are waited for; null for real time
   */
  Notifier(List<Target> targets, SteadyClock clock, Mailbox.@Nullable Pause pause) {
    this.clock = clock;
    this.targets = List.copyOf(targets);
    HttpClient client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    Mailbox.Pause between = pause == null ? this::pause : pause;
    this.boxes = targets.stream().map(one -> new Mailbox(one, client, between)).toList();
  }

  private void pause(Duration length) throws InterruptedException {
    if (closed.await(length.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new InterruptedException("swapgate stops");
    }
  }

  /** Between a {@code degraded} and its {@code healed} the gate goes through other phases. */
  @Override
  public void changed(GateView view) {
    if (view.phase() == Phase.DEGRADED && !degraded) {
      degraded = true;
      tell(Notice.Kind.DEGRADED, view.reason(), "", "");
    } else if (view.chatOpen() && degraded) {
      degraded = false;
      String engine = view.owner().map(owner -> owner.value()).orElse("");
      tell(Notice.Kind.HEALED, "chat is served again", engine, "");
    }
  }

  @Override
  public void happened(GateEvent event) {
    ends.of(event)
        .filter(end -> end.state() != Job.State.CANCELLED)
        .ifPresent(
            end ->
                tell(
                    end.state() == Job.State.DONE ? Notice.Kind.JOB_DONE : Notice.Kind.JOB_FAILED,
                    event.text(),
                    end.backend(),
                    end.job()));
  }

  private void tell(Notice.Kind kind, String text, String backend, String job) {
    Notice notice = new Notice(kind, clock.now().wall(), text, backend, job);
    for (int n = 0; n < targets.size(); n++) {
      if (targets.get(n).wants(notice)) {
        boxes.get(n).put(notice);
      }
    }
  }

  @Override
  public void close() {
    closed.countDown();
    boxes.forEach(Mailbox::close);
  }
}
