package dev.swapgate.proxy.app;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears SIGTERM and SIGINT while it is open, also the second one: a shutdown hook of the JVM hears
 * the first only, and cannot choose the exit code. SIGHUP, too.
 */
final class Signals implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Signals.class);
  private static final List<String> STOP = List.of("TERM", "INT");
  private static final String RELOAD = "HUP";

  private final AtomicInteger heard = new AtomicInteger();
  private volatile boolean closed;

  private Signals() {}

  /**
   * @param stop called with how many were heard, on a thread of the JVM
   * @param reload called at each SIGHUP, on a thread of its own
   */
  static Signals take(IntConsumer stop, Runnable reload) {
    Signals signals = new Signals();
    for (String name : STOP) {
      signals.handle(name, () -> stop.accept(signals.heard.incrementAndGet()));
    }
    signals.handle(RELOAD, () -> Thread.ofVirtual().name("swapgate-reload").start(reload));
    return signals;
  }

  /** By reflection: every JDK has this class, but its compiler warns of the name. */
  private void handle(String name, Runnable then) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object ours =
          Proxy.newProxyInstance(
              handler.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, arguments) -> {
                if (method.getName().equals("handle") && !closed) {
                  then.run();
                }
                return null;
              });
      Object before =
          signal
              .getMethod("handle", signal, handler)
              .invoke(null, signal.getConstructor(String.class).newInstance(name), ours);
      if (handler.getField("SIG_IGN").get(null).equals(before)) {
        LOG.info("SIG{} is ignored, as whoever started this wants it (nohup does)", name);
      }
    } catch (ReflectiveOperationException e) {
      LOG.warn("SIG{} cannot be heard ({}) and does what it always does", name, e.toString());
    }
  }

  /** From now on signals change nothing: the process is ending. */
  @Override
  public void close() {
    closed = true;
  }
}
