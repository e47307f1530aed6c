package dev.swapgate.proxy.admin;

import dev.swapgate.gate.core.GateEvent;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.port.GateListener;
import dev.swapgate.proxy.http.Answer;
import dev.swapgate.proxy.http.Answer.Wire;
import dev.swapgate.proxy.http.AnswerHandler;
import io.undertow.Handlers;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.sse.ServerSentEventConnection;
import java.io.Closeable;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.IoUtils;

/**
 * {@code GET events}: what the gate does, as server-sent events. {@code status} carries the status
 * JSON, one at once and one at each change; {@code event} carries what happened. The gate's thread
 * only leaves a line in a bounded queue; a client that does not keep up is dropped and may come
 * back, which costs it nothing, since the first event is the whole status.
 */
final class EventStream implements GateListener, HttpHandler, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventStream.class);

  /** Events that one client may lag behind. */
  private static final int MAX_LAG = 256;

  private static final int MAX_CLIENTS = 32;
  private static final int MAX_QUEUE = 1024;

  /** Comments in between, so that proxies keep a silent stream and a gone client is noticed. */
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);

  private final Supplier<Object> status;
  private final BlockingQueue<Item> queue = new LinkedBlockingQueue<>(MAX_QUEUE);
  private final Set<Client> clients = ConcurrentHashMap.newKeySet();
  private final Thread thread;

  private volatile boolean stale;

  private sealed interface Item {}

  /** Only wakes the thread, which then looks whether the status is stale. */
  private record Changed() implements Item {}

  private record Happened(GateEvent event) implements Item {}

  private record Joined(Client client) implements Item {}

  private record Client(ServerSentEventConnection connection, Closeable http, AtomicInteger lag) {}

  EventStream(Supplier<Object> status) {
    this.status = status;
    this.thread = Thread.ofVirtual().name("swapgate-events").start(this::run);
  }

  @Override
  public void changed(GateView view) {
    stale = true; // Not lost even if the queue is full: any item makes the thread look.
    queue.offer(new Changed());
  }

  @Override
  public void happened(GateEvent event) {
    queue.offer(new Happened(event));
  }

  @Override
  public void handleRequest(HttpServerExchange exchange) throws Exception {
    if (clients.size() >= MAX_CLIENTS) {
      AnswerHandler.send(
          exchange,
          Answer.problem(429, "too_many_listeners", MAX_CLIENTS + " clients listen already"));
      return;
    }
    Closeable http = exchange.getConnection();
    Handlers.serverSentEvents((connection, lastId) -> join(connection, http))
        .handleRequest(exchange);
  }

  private void join(ServerSentEventConnection connection, Closeable http) {
    Client client = new Client(connection, http, new AtomicInteger());
    connection.addCloseTask(closed -> clients.remove(client));
    connection.setKeepAliveTime(KEEP_ALIVE.toMillis());
    if (!queue.offer(new Joined(client))) {
      drop(client);
    }
  }

  /** On the stream's own thread, so that nothing is sent before the first status. */
  private void welcome(Client client) {
    clients.add(client);
    send(client, "status", statusText());
    if (!client.connection().isOpen()) {
      drop(client);
    }
  }

  private void run() {
    try {
      while (true) {
        passOrTell(queue.take());
      }
    } catch (InterruptedException e) {
      clients.forEach(this::drop);
    }
  }

  private void passOrTell(Item item) {
    try {
      pass(item);
      if (stale) {
        stale = false;
        String text = statusText();
        clients.forEach(client -> send(client, "status", text));
      }
    } catch (RuntimeException e) {
      LOG.error("an event could not be passed on", e);
    }
  }

  private void pass(Item item) {
    switch (item) {
      case Changed changed -> {}
      case Joined joined -> welcome(joined.client());
      case Happened happened -> {
        String text = Wire.text(json(happened.event()));
        clients.forEach(client -> send(client, "event", text));
      }
    }
  }

  private String statusText() {
    return Wire.text(status.get());
  }

  private static Map<String, String> json(GateEvent event) {
    return Map.of(
        "at", event.at().toString(),
        "level", event.level().name().toLowerCase(Locale.ROOT),
        "what", event.what(),
        "text", event.text(),
        "backend", event.backend(),
        "job", event.job());
  }

  private void send(Client client, String name, String data) {
    if (client.lag().incrementAndGet() > MAX_LAG) {
      drop(client);
      return;
    }
    client.connection().send(data, name, null, new Sent(client));
  }

  private void drop(Client client) {
    clients.remove(client);
    IoUtils.safeClose(client.connection());
    // The stream alone would leave the connection open to a client that does not read.
    IoUtils.safeClose(client.http());
  }

  @Override
  public void close() {
    thread.interrupt();
  }

  private record Sent(Client client) implements ServerSentEventConnection.EventCallback {
    @Override
    public void done(
        ServerSentEventConnection connection,
        @Nullable String data,
        @Nullable String event,
        @Nullable String id) {
      client.lag().decrementAndGet();
    }

    @Override
    public void failed(
        ServerSentEventConnection connection,
        @Nullable String data,
        @Nullable String event,
        @Nullable String id,
        java.io.IOException e) {
      IoUtils.safeClose(connection);
    }
  }
}
