package dev.swapgate.proxy.app;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Log lines on standard error. The first of a crowd of access lines is written at once, what
 * follows within 20 ms in one go: a storm of refusals must not cost a system call for each on the
 * threads that carry the streams. Every other line is written at once, after all that came before
 * it. Thread-safe.
 */
public final class LogLines extends ConsoleAppender<ILoggingEvent> {

  /** The logger of the access log. */
  private static final String ACCESS = "swapgate.access";

  private static final int CROWD_MS = 20;
  private static final int MOST_BYTES = 64 * 1024;

  private final ScheduledExecutorService later =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "swapgate-log");
            thread.setDaemon(true);
            return thread;
          });

  @Override
  public void start() {
    super.start();
    Runtime.getRuntime().addShutdownHook(new Thread(this::endCrowds, "swapgate-log-end"));
  }

  @Override
  public void setOutputStream(OutputStream console) {
    super.setOutputStream(new Crowded(console));
  }

  @Override
  protected void subAppend(ILoggingEvent event) {
    Crowded stream = (Crowded) getOutputStream();
    super.subAppend(event);
    try {
      stream.linesEnd(!event.getLoggerName().equals(ACCESS));
    } catch (IOException e) {
      addError("standard error cannot be written to", e);
    }
  }

  private void endCrowds() {
    if (getOutputStream() instanceof Crowded stream) {
      stream.alone();
    }
  }

  /** Bytes on their way to the console. */
  private final class Crowded extends OutputStream {
    private final OutputStream console;
    private final byte[] waiting = new byte[MOST_BYTES];
    private int length;

    /** Whether something was written a moment ago, so that more may come soon. */
    private boolean crowd;

    private @Nullable Future<?> next;
    private boolean alone;

    Crowded(OutputStream console) {
      this.console = console;
    }

    @Override
    public synchronized void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int count) throws IOException {
      if (length + count > MOST_BYTES) {
        pass();
      }
      if (count > MOST_BYTES) {
        console.write(bytes, from, count);
        return;
      }
      System.arraycopy(bytes, from, waiting, length, count);
      length += count;
    }

    /** Left to {@link #linesEnd}, which knows whose line it was. */
    @Override
    public void flush() {}

    synchronized void linesEnd(boolean atOnce) throws IOException {
      if (atOnce || alone || !crowd) {
        pass();
      }
      if (!atOnce && !crowd && !alone) {
        crowd = true;
        lookLater();
      }
    }

    private void lookLater() {
      next = later.schedule(this::look, CROWD_MS, TimeUnit.MILLISECONDS);
    }

    private synchronized void look() {
      crowd = length > 0;
      passOrForget();
      if (crowd) {
        lookLater();
      }
    }

    /** The process ends: nothing waits from now on. */
    synchronized void alone() {
      alone = true;
      if (next != null) {
        next.cancel(false);
      }
      passOrForget();
    }

    private void passOrForget() {
      try {
        pass();
      } catch (IOException e) {
        // Nobody reads standard error any more; there is nowhere left to say so.
        length = 0;
      }
    }

    private void pass() throws IOException {
      if (length > 0) {
        int all = length;
        length = 0;
        console.write(waiting, 0, all);
        console.flush();
      }
    }
  }
}
