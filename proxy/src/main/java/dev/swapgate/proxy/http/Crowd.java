package dev.swapgate.proxy.http;

import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;

/**
 * The connections through one door. When it is full, the one that has owed a whole request for
 * longest is closed for each that comes: thousands that say nothing, or say it slowly, keep nobody
 * out. Thread-safe.
 */
final class Crowd {

  private final int limit;

  /** In the order in which they began to owe one. */
  private final Set<StreamConnection> owing = new LinkedHashSet<>();

  /** To be closed, unless its request becomes whole first. */
  private final Set<StreamConnection> condemned = new HashSet<>();

  private int all;

  Crowd(int limit) {
    this.limit = limit;
  }

  void came(StreamConnection connection) {
    StreamConnection longest = null;
    synchronized (this) {
      all++;
      Iterator<StreamConnection> first = owing.iterator();
      if (all > limit && first.hasNext()) {
        longest = first.next();
        first.remove();
        condemned.add(longest);
      }
      owing.add(connection);
    }
    if (longest != null) {
      StreamConnection closing = longest;
      try {
        closing.getIoThread().execute(() -> close(closing));
      } catch (RejectedExecutionException e) {
        // The door is being closed, and every connection with it.
        IoUtils.safeClose(closing);
      }
    }
  }

  private void close(StreamConnection connection) {
    boolean still;
    synchronized (this) {
      still = condemned.remove(connection);
    }
    if (still) {
      IoUtils.safeClose(connection);
    }
  }

  /** Its request is whole. */
  synchronized void heard(StreamConnection connection) {
    owing.remove(connection);
    condemned.remove(connection);
  }

  /** Its exchange is over; it may bring another request. */
  synchronized void owes(StreamConnection connection) {
    if (connection.isOpen()) {
      owing.add(connection);
    }
  }

  synchronized void left(StreamConnection connection) {
    all--;
    owing.remove(connection);
    condemned.remove(connection);
  }

  synchronized int all() {
    return all;
  }
}
