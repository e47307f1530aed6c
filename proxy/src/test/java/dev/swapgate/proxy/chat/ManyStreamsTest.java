package dev.swapgate.proxy.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ManyStreamsTest {
  private static final int STREAMS = 300;

  @Test
  void aThousandStreamsAndTenThousandInASwapLeaveNothingBehind() throws Exception {
    try (StreamLoad load = new StreamLoad()) {
      long descriptors = StreamLoad.descriptors();
      StreamLoad.Left first = load.round(1000, 1000, 9000);
      StreamLoad.Left second = load.round(1000, 1000, 9000);

      for (StreamLoad.Left left : List.of(first, second)) {
        assertThat(left.refused()).isEqualTo(9000);
        assertThat(left.events()).isEqualTo(2000L * StreamEngine.EVENTS);
        assertThat(left.inside()).as("tickets").isZero();
        assertThat(left.stillHeld()).as("held").isZero();
        assertThat(left.bufferedBytes()).as("bytes of bodies").isZero();
        assertThat(left.connections()).as("connections of clients").isZero();
      }
      assertThat(second.heapMib()).as("MiB of heap").isLessThanOrEqualTo(first.heapMib() + 8);
      assertThat(second.threads()).as("threads").isLessThanOrEqualTo(first.threads() + 4);
      load.untilDescriptors(descriptors + 50);
    }
  }

  @Test
  void everyStreamGetsItsOwnEventsAndAllTicketsComeBack() throws Exception {
    try (Street street = new Street()) {
      street.gate.open();
      List<Wire> clients = new ArrayList<>();
      List<Wire> engines = new ArrayList<>();
      List<String> paths = new ArrayList<>();
      for (int i = 0; i < STREAMS; i++) {
        clients.add(street.client().send("GET /" + i + " HTTP/1.1\r\nHost: a\r\n\r\n"));
      }
      for (int i = 0; i < STREAMS; i++) {
        Wire engine = street.engine.next();
        paths.add(engine.message().start().split(" ")[1]);
        engine.send(
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n");
        engines.add(engine);
      }
      for (Wire client : clients) {
        client.head();
      }
      assertThat(street.gate.turnstile().inside()).isEqualTo(STREAMS);
      for (int event = 0; event < 3; event++) {
        for (int i = 0; i < STREAMS; i++) {
          String data = "data: " + paths.get(i) + "\n\n";
          engines.get(i).send(Integer.toHexString(data.length()) + "\r\n" + data + "\r\n");
        }
        for (int i = 0; i < STREAMS; i++) {
          assertThat(clients.get(i).chunk()).isEqualTo("data: /" + i + "\n\n");
        }
      }
      street.gate.shut();
      for (int i = 0; i < STREAMS; i++) {
        engines.get(i).send("0\r\n\r\n");
      }
      for (Wire client : clients) {
        assertThat(client.chunk()).isEmpty();
      }
      street.gate.emptied.get(10, TimeUnit.SECONDS);
    }
  }
}
