package dev.swapgate.proxy.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * Serves event streams on a port and, for each line {@code URL STREAMS EVENTS PERIOD_MICROS PHASES}
 * on its standard input, loads that hop and answers with one line: events, lost ones, median and
 * 99th percentile of their age, the same of the time between two, of the time to the first one; µs,
 * separated by tabs.
 */
public final class StreamBench {
  private StreamBench() {}

  public static void main(String[] words) throws IOException {
    EventServer server = new EventServer(Integer.parseInt(words[0]));
    Thread.ofPlatform().daemon().name("events").start(() -> serve(server));
    System.out.println("ready");
    BufferedReader asked =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String line = asked.readLine(); line != null; line = asked.readLine()) {
      String[] load = line.split(" ");
      System.out.println(
          new EventLoad(
                  URI.create(load[0]),
                  Integer.parseInt(load[1]),
                  Integer.parseInt(load[2]),
                  Integer.parseInt(load[3]),
                  Integer.parseInt(load[4]))
              .run());
    }
  }

  private static void serve(EventServer server) {
    try {
      server.run();
    } catch (IOException e) {
      throw new UncheckedIOException("the event server ended", e);
    }
  }
}
