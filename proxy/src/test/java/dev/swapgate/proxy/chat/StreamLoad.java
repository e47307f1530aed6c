package dev.swapgate.proxy.chat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Many streams at once, then a swap with many who wait for its end or are refused; again. */
final class StreamLoad implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int REFUSALS_A_CONNECTION = 10;
  private static final int CONNECTING_AT_ONCE = 200;
  private static final long MIB = 1 << 20;

  private final StreamEngine engine = new StreamEngine();
  private final Street street = Street.before(engine.port());
  private final Semaphore connecting = new Semaphore(CONNECTING_AT_ONCE);
  private final AtomicLong events = new AtomicLong();
  private final AtomicLong refusals = new AtomicLong();

  StreamLoad() throws IOException {}

  /**
   * What a round did and left behind.
   *
   * @param descriptors open files of the whole process
   * @param heapMib in use after a collection
   */
  record Left(
      int streams,
      int held,
      long refused,
      long events,
      long seconds,
      int inside,
      int stillHeld,
      long bufferedBytes,
      int connections,
      long descriptors,
      int threads,
      long heapMib) {}

  /**
   * One round.
   *
   * @param held how many are held, at most as many as the house holds
   * @param refused how many are refused meanwhile
   */
  Left round(int streams, int held, int refused) throws Exception {
    events.set(0);
    refusals.set(0);
    Duration began = street.clock.now().steady();
    street.gate.open();
    CountDownLatch together = engine.together(streams);
    awaitAll(start(streams, i -> stream("/v1/stream/" + i)), together);
    street.gate.shut();
    List<CompletableFuture<Void>> waiting =
        start(held, i -> stream("/as/open-webui/v1/held/" + i, "/v1/held/" + i));
    street.until(() -> street.chat.held() == held, "all are held");
    awaitAll(start(refused / REFUSALS_A_CONNECTION, i -> refused()), together);
    engine.together(0);
    street.gate.open();
    awaitAll(waiting, together);
    Duration took = street.clock.now().steady().minus(began);
    street.until(() -> street.listener.connections() == 0, "all clients have left");
    return left(streams, held, took);
  }

  private Left left(int streams, int held, Duration took) {
    System.gc();
    return new Left(
        streams,
        held,
        refusals.get(),
        events.get(),
        took.toSeconds(),
        street.gate.turnstile().inside(),
        street.chat.held(),
        street.chat.bufferedBytes(),
        street.listener.connections(),
        descriptors(),
        ManagementFactory.getThreadMXBean().getThreadCount(),
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MIB);
  }

  /** Connections to the engine are kept for 4 s; then none may be left. */
  void untilDescriptors(long most) {
    street.until(() -> descriptors() <= most, "no more than " + most + " open files");
  }

  static long descriptors() {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What one client does. */
  private interface Client {
    void run(int number) throws Exception;
  }

  private static List<CompletableFuture<Void>> start(int count, Client client) {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      CompletableFuture<Void> end = new CompletableFuture<>();
      int number = i;
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  client.run(number);
                  end.complete(null);
                } catch (Exception | AssertionError e) {
                  end.completeExceptionally(e);
                }
              });
      all.add(end);
    }
    return all;
  }

  private static void awaitAll(List<CompletableFuture<Void>> all, CountDownLatch together)
      throws InterruptedException, ExecutionException, TimeoutException {
    try {
      CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
          .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      long open = all.stream().filter(end -> !end.isDone()).count();
      throw new AssertionError(
          open + " of " + all.size() + " have not ended; " + together.getCount() + " not begun", e);
    }
  }

  private Wire client() throws Exception {
    connecting.acquire();
    try {
      Wire client = street.client();
      client.socket.setSoTimeout((int) LIMIT.toMillis());
      return client;
    } finally {
      connecting.release();
    }
  }

  private void stream(String target) throws Exception {
    stream(target, target);
  }

  private void stream(String asked, String seen) throws Exception {
    try (Wire client = client()) {
      client.send(
          "POST "
              + asked
              + " HTTP/1.1\r\nHost: a\r\nContent-Length: 1024\r\n\r\n"
              + "x".repeat(1024));
      Wire.Message answer = client.message();
      StringBuilder expected = new StringBuilder();
      for (int i = 0; i < StreamEngine.EVENTS; i++) {
        expected.append(StreamEngine.event(seen, i));
      }
      if (answer.status() != 200 || !answer.text().contentEquals(expected)) {
        throw new AssertionError(asked + " was answered " + answer.start() + answer.text());
      }
      events.addAndGet(StreamEngine.EVENTS);
    }
  }

  private void refused() throws Exception {
    try (Wire client = client()) {
      for (int i = 0; i < REFUSALS_A_CONNECTION; i++) {
        client.send(
            "POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 1024\r\n\r\n" + "x".repeat(1024));
        Wire.Message answer = client.message();
        if (answer.status() != 429 || !answer.value("Retry-After").equals("174")) {
          throw new AssertionError("refused with " + answer.start() + " " + answer.fields());
        }
        refusals.incrementAndGet();
      }
    }
  }

  @Override
  public void close() throws IOException {
    street.close();
    engine.close();
  }

  /**
   * Prints what each round left: {@code [ROUNDS [STREAMS [HELD [REFUSED]]]]}; fails if something
   * was left.
   */
  public static void main(String... args) throws Exception {
    int[] sizes = {10, 1000, 1000, 9000};
    for (int i = 0; i < args.length; i++) {
      sizes[i] = Integer.parseInt(args[i]);
    }
    boolean clean = true;
    Left first = null;
    try (StreamLoad load = new StreamLoad()) {
      for (int i = 0; i < sizes[0]; i++) {
        Left left = load.round(sizes[1], sizes[2], sizes[3]);
        System.out.println(left);
        first = first == null ? left : first;
        clean &= left.inside() + left.stillHeld() + left.bufferedBytes() == 0;
        clean &= left.heapMib() <= first.heapMib() + 8;
      }
    }
    if (!clean) {
      throw new AssertionError("something was left behind, or the heap grew");
    }
  }
}
