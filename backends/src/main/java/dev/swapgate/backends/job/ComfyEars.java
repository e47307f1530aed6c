package dev.swapgate.backends.job;

import dev.swapgate.backends.media.MediaServer;
import dev.swapgate.backends.media.TextSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The WebSocket of the one attempt that is followed. It is opened when the attempt is handed in or
 * first asked about, and closed when its end is known, another one is listened to, or nobody has
 * asked for a minute. Progress is only what is heard while it is open; without it, it is untold.
 * Thread-safe.
 */
final class ComfyEars {

  /** What was sent before it is open is not heard; it opens within milliseconds or late. */
  private static final Duration OPENING = Duration.ofSeconds(1);

  private static final Duration UNASKED = Duration.ofMinutes(1);

  /**
   * Questions without a word between them, half a second apart, after which another socket is
   * tried: one that has silently died looks the same as a server that has nothing to tell.
   */
  private static final int SILENT = 120;

  /** The most questions between two attempts to open it. */
  private static final int MOST_BETWEEN = 64;

  private final MediaServer server;
  private Optional<Ear> ear = Optional.empty();
  private long questions;

  ComfyEars(MediaServer server) {
    this.server = server;
  }

  /**
   * The attempt is about to be handed in: listens from its beginning, if that is soon to be had.
   */
  void before(ComfyTicket ticket) {
    of(ticket.client()).socket.await(OPENING);
  }

  /** How far an attempt has come that is in the queue; NaN when it is untold. */
  double progress(ComfyTicket ticket, ComfyPlace place) {
    return of(ticket.client()).asked(place);
  }

  private synchronized Ear of(String client) {
    questions++;
    if (ear.filter(one -> one.client.equals(client)).isEmpty()) {
      ear.ifPresent(Ear::close);
      Ear fresh = new Ear(client, server);
      ear = Optional.of(fresh);
      closeUnasked(fresh, questions);
    }
    return ear.orElseThrow();
  }

  private void closeUnasked(Ear one, long before) {
    CompletableFuture.delayedExecutor(UNASKED.toSeconds(), TimeUnit.SECONDS)
        .execute(() -> look(one, before));
  }

  private synchronized void look(Ear one, long before) {
    if (ear.filter(present -> present == one).isEmpty()) {
      return;
    }
    if (questions == before) {
      close();
    } else {
      closeUnasked(one, questions);
    }
  }

  /** Nobody is listened to any more. */
  synchronized void close() {
    ear.ifPresent(Ear::close);
    ear = Optional.empty();
  }

  /** What is heard of one client id. */
  private static final class Ear {
    private final String client;
    private final MediaServer server;
    private final ComfyProgress progress = new ComfyProgress();
    private TextSocket socket;

    /** One that is to take the other's place once it is open. */
    private Optional<TextSocket> next = Optional.empty();

    private long heard;
    private int silent;
    private int wait;
    private int between = 1;

    Ear(String client, MediaServer server) {
      this.client = client;
      this.server = server;
      this.socket = open();
    }

    private TextSocket open() {
      return server.listen("/ws?clientId=" + MediaServer.encoded(client), progress::hear);
    }

    synchronized double asked(ComfyPlace place) {
      if (next.filter(one -> one.isOpen() || one.isOver()).isPresent()) {
        socket.close();
        socket = next.get();
        next = Optional.empty();
      }
      if (socket.isOver()) {
        again();
      } else if (place.runs()) {
        listen();
      }
      return place.runs() && socket.isOpen() ? progress.of(place.id(), place.nodes()) : Double.NaN;
    }

    private void again() {
      wait++;
      if (wait >= between) {
        wait = 0;
        between = Math.min(2 * between, MOST_BETWEEN);
        socket = open();
      }
    }

    private void listen() {
      silent++;
      if (progress.heard() != heard) {
        heard = progress.heard();
        silent = 0;
        between = 1;
      } else if (silent >= SILENT && next.isEmpty()) {
        silent = 0;
        next = Optional.of(open());
      }
    }

    synchronized void close() {
      socket.close();
      next.ifPresent(TextSocket::close);
    }
  }
}
