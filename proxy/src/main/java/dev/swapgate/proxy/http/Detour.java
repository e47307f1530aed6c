package dev.swapgate.proxy.http;

import io.undertow.server.HttpServerExchange;

/**
 * Takes those requests of the chat listener that no engine is meant to answer. They never enter the
 * turnstile: a swap waits until everybody inside has left, and these wait for a swap. Called on I/O
 * threads: must return at once.
 */
public interface Detour {

  /** Takes none. */
  Detour NONE =
      new Detour() {
        @Override
        public boolean takes(HttpServerExchange exchange, String path, Body body) {
          return false;
        }

        @Override
        public void take(Caller caller) {
          throw new IllegalStateException("nothing is taken here");
        }
      };

  /**
   * Whether this is one of them.
   *
   * @param path as an engine would see it
   */
  boolean takes(HttpServerExchange exchange, String path, Body body);

  /** Sees to it that it is answered, in whatever time that takes. */
  void take(Caller caller);

  /** Who waits for an answer. Thread-safe. */
  interface Caller {
    HttpServerExchange exchange();

    /** What was sent; a copy. */
    byte[] body();

    /** Run once if it leaves before it is answered; at once if it has left already. */
    void whenGone(Runnable gone);

    void refuse(ErrorAnswer error);

    /** Runs what sends the answer, on the exchange's I/O thread; not if it has left. */
    void answer(Runnable sending);
  }
}
