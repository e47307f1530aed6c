package dev.swapgate.proxy.fallback;

import java.nio.ByteBuffer;
import java.util.List;

/** A call to a provider under way. Thread-safe. */
public interface ProviderCall {

  /** Asks for the next bytes, once. */
  void more();

  /** Hangs up; nothing is heard of it any more, or only what was on its way. */
  void cancel();

  /**
   * Hears of one call, on threads of the client; after {@link #ended} or {@link #failed} nothing
   * more comes.
   */
  interface Receiver {
    void head(ProviderHead head);

    /** Bytes to keep; the next come when {@link ProviderCall#more} was called. */
    void body(List<ByteBuffer> bytes);

    void ended();

    /**
     * @param why for the log
     */
    void failed(ProviderEnd.How how, String why);
  }
}
