package dev.swapgate.proxy.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * An engine that does nothing but stream: {@code X-Events} events, each with the time at which it
 * was written. The first comes at once, the others at the stream's moment of each {@code X-Period}
 * µs, of which there are {@code X-Phases}, in turn: 1 has all streams speak in step. That does not
 * depend on when a hop lets the requests through. Any target that holds {@code chat} streams; all
 * else is a short 200. One thread, so that the load is the hop's.
 */
final class EventServer {
  private static final String STREAM_HEAD =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
  private static final String OK =
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n"
          + "{\"object\":\"ok\"}";

  private final Selector selector;
  private final PriorityQueue<Stream> due = new PriorityQueue<>();
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
  private final CountDownLatch never = new CountDownLatch(1);
  private long begun;

  EventServer(int port) throws IOException {
    selector = Selector.open();
    ServerSocketChannel server = ServerSocketChannel.open();
    server.bind(new InetSocketAddress("127.0.0.1", port), 4096);
    server.configureBlocking(false);
    server.register(selector, SelectionKey.OP_ACCEPT);
  }

  /** One connection: what it still has to say, and when. */
  private static final class Stream implements Comparable<Stream> {
    final SocketChannel channel;
    final Requests requests = new Requests();
    final Deque<ByteBuffer> unsent = new ArrayDeque<>();
    long left;
    long period;
    long phase;
    long at;

    Stream(SocketChannel channel) {
      this.channel = channel;
    }

    @Override
    public int compareTo(Stream other) {
      return Long.compare(at, other.at);
    }
  }

  /** Serves until the process ends. */
  void run() throws IOException {
    while (true) {
      await();
      var keys = selector.selectedKeys().iterator();
      while (keys.hasNext()) {
        SelectionKey key = keys.next();
        keys.remove();
        ready(key);
      }
      for (long now = Ticks.now(); !due.isEmpty() && due.peek().at <= now; ) {
        event(due.poll());
      }
    }
  }

  /** Until something is ready or due; leaves the processor to the hop meanwhile. */
  private void await() throws IOException {
    Stream next = due.peek();
    if (next == null) {
      selector.select();
      return;
    }
    long left = next.at - Ticks.now();
    if (left > Duration.ofMillis(1).toNanos()) {
      selector.select(left / 1_000_000);
      return;
    }
    rest(left);
    selector.selectNow();
  }

  /** The selector waits whole milliseconds. */
  private void rest(long nanos) {
    try {
      if (never.await(nanos, TimeUnit.NANOSECONDS)) {
        throw new IllegalStateException("nobody counts this latch down");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts the event server", e);
    }
  }

  private void ready(SelectionKey key) throws IOException {
    if (key.channel() instanceof ServerSocketChannel server) {
      for (SocketChannel one = server.accept(); one != null; one = server.accept()) {
        one.configureBlocking(false);
        one.socket().setTcpNoDelay(true);
        one.register(selector, SelectionKey.OP_READ, new Stream(one));
      }
      return;
    }
    Stream stream = (Stream) key.attachment();
    try {
      if (key.isReadable()) {
        read(stream);
      }
      if (key.isValid() && key.isWritable()) {
        flush(stream);
      }
    } catch (IOException gone) {
      close(stream);
    }
  }

  private void read(Stream stream) throws IOException {
    buffer.clear();
    if (stream.channel.read(buffer) < 0) {
      close(stream);
      return;
    }
    buffer.flip();
    var request = stream.requests.take(buffer);
    if (request.isEmpty()) {
      return;
    }
    if (!request.get().target().contains("chat")) {
      send(stream, Requests.bytes(OK));
      return;
    }
    long phases = request.get().number("X-Phases", 1);
    stream.left = request.get().number("X-Events", 100);
    stream.period = request.get().number("X-Period", 20_000) * 1000;
    stream.phase = stream.period * (begun++ % phases) / phases;
    stream.at = Ticks.now();
    send(stream, Requests.bytes(STREAM_HEAD));
    due.add(stream);
  }

  private void event(Stream stream) {
    try {
      String event = "data: " + Ticks.now() + "\n\n";
      send(stream, Requests.bytes(Integer.toHexString(event.length()) + "\r\n" + event + "\r\n"));
      stream.left--;
      if (stream.left > 0) {
        long slot = Math.floorDiv(stream.at - stream.phase, stream.period) + 1;
        stream.at = slot * stream.period + stream.phase;
        due.add(stream);
      } else {
        send(stream, Requests.bytes("0\r\n\r\n"));
      }
    } catch (IOException gone) {
      close(stream);
    }
  }

  private void send(Stream stream, ByteBuffer bytes) throws IOException {
    stream.unsent.add(bytes);
    flush(stream);
  }

  private void flush(Stream stream) throws IOException {
    while (!stream.unsent.isEmpty()) {
      stream.channel.write(stream.unsent.peek());
      if (stream.unsent.peek().hasRemaining()) {
        break;
      }
      stream.unsent.poll();
    }
    SelectionKey key = stream.channel.keyFor(selector);
    if (key != null && key.isValid()) {
      int write = stream.unsent.isEmpty() ? 0 : SelectionKey.OP_WRITE;
      key.interestOps(SelectionKey.OP_READ | write);
    }
  }

  private void close(Stream stream) {
    due.remove(stream);
    try {
      stream.channel.close();
    } catch (IOException nothingToDo) {
      // It is gone either way.
    }
  }
}
