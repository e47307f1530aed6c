package dev.swapgate.proxy.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * Many streams at once from one hop, by one thread: how old each event is when it arrives, how long
 * after the one before it comes (but for the second one, which waits for its stream's moment), and
 * how long after its request the first one comes.
 */
final class EventLoad {
  private static final String BODY = "{\"model\":\"any\",\"stream\":true,\"messages\":[]}";
  private static final String MARK = "data: ";

  private final URI hop;
  private final int streams;
  private final int events;
  private final int periodMicros;
  private final int phases;
  private final List<Long> ages = new ArrayList<>();
  private final List<Long> gaps = new ArrayList<>();
  private final List<Long> firsts = new ArrayList<>();
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
  private int open;

  /** What was seen; times in µs. */
  record Result(long events, long lost, Spread age, Spread gap, Spread first) {
    @Override
    public String toString() {
      return "%d\t%d\t%s\t%s\t%s".formatted(events, lost, age, gap, first);
    }
  }

  /** Median and 99th percentile in µs. */
  record Spread(double median, double p99) {
    static Spread of(List<Long> nanos) {
      List<Long> sorted = nanos.stream().sorted().toList();
      return new Spread(at(sorted, 0.5), at(sorted, 0.99));
    }

    private static double at(List<Long> sorted, double part) {
      return sorted.isEmpty()
          ? Double.NaN
          : sorted.get((int) Math.min(sorted.size() - 1, part * sorted.size())) / 1000.0;
    }

    @Override
    public String toString() {
      return "%.0f\t%.0f".formatted(median, p99);
    }
  }

  private static final class Reader {
    final SocketChannel channel;
    final StringBuilder line = new StringBuilder();
    long asked;
    long last;
    int heard;

    Reader(SocketChannel channel) {
      this.channel = channel;
    }
  }

  EventLoad(URI hop, int streams, int events, int periodMicros, int phases) {
    this.hop = hop;
    this.streams = streams;
    this.events = events;
    this.periodMicros = periodMicros;
    this.phases = phases;
  }

  /** Begins the streams spread over one period and reads them to their ends. */
  Result run() throws IOException {
    try (Selector selector = Selector.open()) {
      long begin = Ticks.now();
      int begun = 0;
      while (begun < streams || open > 0) {
        long now = Ticks.now();
        while (begun < streams && now - begin >= begun * 1000L * periodMicros / streams) {
          begin(selector);
          begun++;
        }
        if (begun < streams) {
          selector.selectNow();
        } else {
          selector.select(1000);
        }
        var keys = selector.selectedKeys().iterator();
        while (keys.hasNext()) {
          SelectionKey key = keys.next();
          keys.remove();
          ready((Reader) key.attachment());
        }
      }
    }
    long wanted = (long) streams * events;
    return new Result(
        ages.size(), wanted - ages.size(), Spread.of(ages), Spread.of(gaps), Spread.of(firsts));
  }

  private void begin(Selector selector) throws IOException {
    SocketChannel channel = SocketChannel.open(new InetSocketAddress(hop.getHost(), hop.getPort()));
    channel.socket().setTcpNoDelay(true);
    Reader reader = new Reader(channel);
    reader.asked = Ticks.now();
    ByteBuffer request =
        Requests.bytes(
            "POST "
                + hop.getRawPath()
                + "/v1/chat/completions HTTP/1.1\r\nHost: "
                + hop.getAuthority()
                + "\r\nContent-Type: application/json\r\nConnection: close\r\nX-Events: "
                + events
                + "\r\nX-Period: "
                + periodMicros
                + "\r\nX-Phases: "
                + phases
                + "\r\nContent-Length: "
                + BODY.length()
                + "\r\n\r\n"
                + BODY);
    while (request.hasRemaining()) {
      channel.write(request);
    }
    channel.configureBlocking(false);
    channel.register(selector, SelectionKey.OP_READ, reader);
    open++;
  }

  private void ready(Reader reader) throws IOException {
    buffer.clear();
    int read;
    try {
      read = reader.channel.read(buffer);
    } catch (IOException reset) {
      read = -1;
    }
    if (read < 0) {
      reader.channel.close();
      open--;
      return;
    }
    long now = Ticks.now();
    buffer.flip();
    while (buffer.hasRemaining()) {
      char next = (char) (buffer.get() & 0xff);
      if (next == '\n') {
        line(reader, now);
        reader.line.setLength(0);
      } else {
        reader.line.append(next);
      }
    }
    if (reader.heard == events) {
      reader.channel.close();
      open--;
    }
  }

  private void line(Reader reader, long now) {
    int at = reader.line.indexOf(MARK);
    if (at < 0) {
      return;
    }
    long sent = Long.parseLong(reader.line.substring(at + MARK.length()).strip());
    ages.add(now - sent);
    if (reader.heard == 0) {
      firsts.add(now - reader.asked);
    } else if (reader.heard > 1) {
      gaps.add(now - reader.last);
    }
    reader.last = now;
    reader.heard++;
  }
}
