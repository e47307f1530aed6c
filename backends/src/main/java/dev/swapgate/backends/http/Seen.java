package dev.swapgate.backends.http;

import java.io.EOFException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.ProtocolException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What the JDK throws, told as what was seen on the wire. */
final class Seen {
  private Seen() {}

  static String words(@Nullable Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnresolvedAddressException || cause instanceof UnknownHostException) {
        return "unknown host";
      }
      // It lies below what the JDK makes of it: "received no bytes".
      if (String.valueOf(cause.getMessage()).contains("Connection reset")) {
        return "connection reset";
      }
    }
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      String words = wordsOfOne(cause);
      if (!words.isEmpty()) {
        return words;
      }
    }
    return "no answer (" + thrown + ")";
  }

  private static String wordsOfOne(Throwable cause) {
    String message = cause.getMessage() == null ? "" : cause.getMessage().toLowerCase(Locale.ROOT);
    if (cause instanceof HttpConnectTimeoutException) {
      return "no connection: nobody answers at that address";
    }
    if (cause instanceof NoRouteToHostException || message.contains("unreachable")) {
      return "no route to the host";
    }
    if (cause instanceof ConnectException) {
      return "connection refused";
    }
    if (message.contains("broken pipe")) {
      return "connection reset";
    }
    if (message.contains("received no bytes")) {
      return "connection closed without an answer";
    }
    if (cause instanceof ProtocolException
        || message.contains("status line")
        || message.contains("invalid")) {
      return "what answers does not speak HTTP";
    }
    if (cause instanceof EOFException
        || message.contains("bytes received")
        || message.contains("chunked")
        || message.contains("closed")) {
      return "connection closed in the middle of the answer";
    }
    return "";
  }
}
