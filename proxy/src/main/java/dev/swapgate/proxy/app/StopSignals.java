package dev.swapgate.proxy.app;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears SIGTERM and SIGINT while it is open, also the second one: a shutdown hook of the JVM hears
 * the first only, and cannot choose the exit code.
 */
final class StopSignals implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StopSignals.class);
  private static final List<String> SIGNALS = List.of("TERM", "INT");

  private final AtomicInteger heard = new AtomicInteger();
  private volatile boolean closed;

  private StopSignals() {}

  /**
   * @param stop called with how many were heard, on a thread of the JVM
   */
  static StopSignals take(IntConsumer stop) {
    StopSignals signals = new StopSignals();
    for (String name : SIGNALS) {
      signals.handle(name, stop);
    }
    return signals;
  }

  /** By reflection: every JDK has this class, but its compiler warns of the name. */
  private void handle(String name, IntConsumer stop) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object ours =
          Proxy.newProxyInstance(
              handler.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, arguments) -> {
                if (method.getName().equals("handle") && !closed) {
                  stop.accept(heard.incrementAndGet());
                }
                return null;
              });
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), ours);
    } catch (ReflectiveOperationException e) {
      LOG.warn("SIG{} cannot be heard ({}): it ends the process at once", name, e.toString());
    }
  }

  /** From now on signals change nothing: the process is ending. */
  @Override
  public void close() {
    closed = true;
  }
}
