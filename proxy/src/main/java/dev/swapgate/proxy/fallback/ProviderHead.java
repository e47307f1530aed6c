package dev.swapgate.proxy.fallback;

import dev.swapgate.proxy.http.Field;
import java.net.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The head of a provider's answer: what the classifier reads of it, and what a client may see. */
public record ProviderHead(int status, HttpHeaders headers) {

  /**
   * The length is not among it: answers go on in chunks, whose end is seen. All else (cookies,
   * limits of the account, alternative addresses) is between us and them.
   */
  private static final List<String> PASSED =
      List.of("Content-Type", "Content-Encoding", "Cache-Control", "X-Request-Id", "Request-Id");

  private static final int LONGEST = 1024;

  /** What is passed on, each once. */
  public List<Field> passed() {
    List<Field> fields = new ArrayList<>();
    for (String name : PASSED) {
      headers
          .firstValue(name)
          .filter(value -> value.length() <= LONGEST)
          .filter(value -> value.chars().allMatch(c -> c >= ' ' && c <= '~'))
          .ifPresent(value -> fields.add(new Field(name, value)));
    }
    return fields;
  }

  /** Whether it promises an answer. */
  public boolean isGood() {
    return isGood(status);
  }

  /** A success without content is no answer to anything that is asked here. */
  static boolean isGood(int status) {
    return status / 100 == 2 && status != 204 && status != 205;
  }

  boolean isEventStream() {
    return headers
        .firstValue("Content-Type")
        .map(type -> type.toLowerCase(Locale.ROOT).startsWith("text/event-stream"))
        .orElse(false);
  }

  /** A page for people: some door before the provider's, or a wrong address. */
  boolean isPage() {
    return headers
        .firstValue("Content-Type")
        .map(type -> type.toLowerCase(Locale.ROOT).startsWith("text/html"))
        .orElse(false);
  }

  boolean isReadable() {
    return headers.allValues("Content-Encoding").stream()
        .allMatch(coding -> coding.equalsIgnoreCase("identity"));
  }

  ProviderEnd.Answered ended(ErrorHint hint) {
    return new ProviderEnd.Answered(
        status, hint, first("Retry-After"), first("Retry-After-Ms"), first("Date"));
  }

  private Optional<String> first(String name) {
    return headers.firstValue(name);
  }
}
