package dev.swapgate.proxy.http;

import io.undertow.util.HttpString;

/**
 * The header that tells who answered: {@code gate}, {@code engine:name}, {@code fallback:name},
 * {@code media:name}.
 */
public final class AnsweredBy {
  public static final HttpString HEADER = HttpString.tryFromString("X-Swapgate-Answered-By");
  public static final String GATE = "gate";

  private AnsweredBy() {}

  public static String fallback(String provider) {
    return "fallback:" + provider;
  }

  public static String media(String name) {
    return "media:" + name;
  }

  public static String engine(String name) {
    return "engine:" + name;
  }
}
