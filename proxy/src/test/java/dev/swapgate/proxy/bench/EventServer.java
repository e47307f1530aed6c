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

/**
 * An engine that does nothing but stream: {@code X-Events} events, one every {@code X-Period} µs,
 * each with the time at which it was written. Any target that holds {@code chat} streams; all else
 * is a short 200. One thread, so that the load is the hop's.
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
      Stream next = due.peek();
      if (next == null) {
        selector.select();
      } else if (next.at - Ticks.now() > Duration.ofMillis(1).toNanos()) {
        selector.select((next.at - Ticks.now()) / 1_000_000);
      } else {
        selector.selectNow();
      }
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
    stream.left = request.get().number("X-Events", 100);
    stream.period = request.get().number("X-Period", 20_000) * 1000;
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
        stream.at += stream.period;
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
