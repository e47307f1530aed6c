package dev.swapgate.proxy.http;

import io.undertow.connector.PooledByteBuffer;
import io.undertow.server.Connectors;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpServerConnection;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A request body in chunks, read from the connection itself, past the library's lenient reader.
 * What follows the body is put back for the next request. Confined to the I/O thread.
 */
final class RawChunks {

  private final HttpServerExchange exchange;
  private final HttpServerConnection connection;
  private final ChunkDecoder decoder = new ChunkDecoder();
  private final ByteBuffer raw = ByteBuffer.allocate(16 * 1024).flip();

  RawChunks(HttpServerExchange exchange, HttpServerConnection connection) {
    this.exchange = exchange;
    this.connection = connection;
  }

  /** As a channel reads: −1 at the end, 0 when there is nothing for now. */
  int read(ByteBuffer into) throws IOException {
    int before = into.position();
    while (true) {
      decoder.decode(raw, into);
      if (into.position() > before) {
        return into.position() - before;
      }
      if (decoder.done()) {
        finish();
        return -1;
      }
      int read = fill();
      if (read < 0) {
        throw new EOFException("the connection ended within a chunked body");
      }
      if (read == 0) {
        return 0;
      }
    }
  }

  /** Ends the request without reading on; nothing that follows can be trusted. */
  void abandon() {
    exchange.setPersistent(false);
    Connectors.terminateRequest(exchange);
  }

  private int fill() throws IOException {
    raw.clear();
    PooledByteBuffer early = connection.getExtraBytes();
    int read;
    if (early == null) {
      read = connection.getOriginalSourceConduit().read(raw);
    } else {
      ByteBuffer from = early.getBuffer();
      read = Math.min(raw.remaining(), from.remaining());
      raw.put(from.slice(from.position(), read));
      from.position(from.position() + read);
      if (!from.hasRemaining()) {
        early.close();
        connection.setExtraBytes(null);
      }
    }
    raw.flip();
    return read;
  }

  private void finish() {
    if (raw.hasRemaining()) {
      PooledByteBuffer back = connection.getByteBufferPool().allocate();
      ByteBuffer buffer = back.getBuffer();
      if (buffer.remaining() < raw.remaining()) {
        back.close();
        exchange.setPersistent(false);
      } else {
        buffer.put(raw).flip();
        connection.ungetRequestBytes(back);
      }
    }
    Connectors.terminateRequest(exchange);
  }
}
