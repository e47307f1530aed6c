package dev.swapgate.proxy.clients;

import dev.swapgate.gate.runtime.SteadyClock;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A door of its own for one call: passes every byte on, and tells what was asked and answered, and
 * when. Thread-safe.
 */
public final class WireTap implements AutoCloseable {
  private static final SteadyClock CLOCK = SteadyClock.system();
  private static final Pattern REQUEST_LINE = Pattern.compile("[A-Z]+ (\\S+) HTTP/1\\.1\r\n");
  private static final Pattern ANSWER_HEAD =
      Pattern.compile("HTTP/1\\.1 (\\d{3})[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n");
  private static final Pattern RETRY_AFTER =
      Pattern.compile("^Retry-After: (\\d+)\r?$", Pattern.MULTILINE | Pattern.CASE_INSENSITIVE);

  private final ServerSocket door;
  private final URI server;
  private final List<Duration> requests = new CopyOnWriteArrayList<>();
  private final List<Answer> answers = new CopyOnWriteArrayList<>();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();

  /**
   * The head of an answer.
   *
   * @param at when it passed, on a steady clock
   * @param retryAfter in seconds; 0 is none
   */
  public record Answer(Duration at, int status, int retryAfter) {
    static Answer of(Matcher head) {
      Matcher seconds = RETRY_AFTER.matcher(head.group());
      return new Answer(
          CLOCK.now().steady(),
          Integer.parseInt(head.group(1)),
          seconds.find() ? Integer.parseInt(seconds.group(1)) : 0);
    }

    @Override
    public String toString() {
      return status + (retryAfter == 0 ? "" : " (" + retryAfter + " s)");
    }
  }

  public WireTap(URI server) throws IOException {
    this.server = server;
    this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().name("tap-door").start(this::accept);
  }

  public URI address() {
    return URI.create("http://127.0.0.1:" + door.getLocalPort());
  }

  /** How many requests were begun so far. */
  public int requests() {
    return requests.size();
  }

  /** In their order. */
  public List<Answer> answers() {
    return List.copyOf(answers);
  }

  /** From the head of each answer to the request after it. */
  public List<Duration> pauses() {
    List<Duration> pauses = new ArrayList<>();
    for (Answer answer : answers) {
      requests.stream()
          .filter(asked -> asked.compareTo(answer.at()) > 0)
          .findFirst()
          .ifPresent(asked -> pauses.add(asked.minus(answer.at())));
    }
    return pauses;
  }

  private void accept() {
    try {
      while (true) {
        Socket client = door.accept();
        Socket inside = new Socket(server.getHost(), server.getPort());
        sockets.add(client);
        sockets.add(inside);
        Heads asked = new Heads(REQUEST_LINE, line -> requests.add(CLOCK.now().steady()));
        Heads answered = new Heads(ANSWER_HEAD, head -> answers.add(Answer.of(head)));
        Thread.ofVirtual().name("tap-asked").start(() -> pass(client, inside, asked));
        Thread.ofVirtual().name("tap-answered").start(() -> pass(inside, client, answered));
      }
    } catch (IOException closed) {
      sockets.forEach(WireTap::close);
    }
  }

  /** Until one side ends, which ends the other. What passes is told before it is passed on. */
  private static void pass(Socket from, Socket to, Heads heads) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[8192];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        heads.read(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
        out.write(buffer, 0, n);
      }
    } catch (IOException ended) {
      close(to);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    door.close();
  }

  /** Finds the heads in one direction of one connection. */
  private static final class Heads {
    private final Pattern head;
    private final Consumer<Matcher> seen;
    private final StringBuilder passed = new StringBuilder();
    private int told;

    Heads(Pattern head, Consumer<Matcher> seen) {
      this.head = head;
      this.seen = seen;
    }

    void read(String bytes) {
      passed.append(bytes);
      Matcher next = head.matcher(passed);
      while (next.find(told)) {
        told = next.end();
        seen.accept(next);
      }
    }
  }
}
