package dev.swapgate.proxy.forward;

import dev.swapgate.proxy.http.Field;
import dev.swapgate.proxy.http.HeaderLines;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Status line and headers of a server's answer.
 *
 * @param http11 false: HTTP/1.0
 */
public record ResponseHead(boolean http11, int status, String reason, List<Field> fields) {

  public ResponseHead {
    fields = List.copyOf(fields);
  }

  public List<String> values(String name) {
    return Field.values(fields, name);
  }

  public Optional<String> first(String name) {
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).is(name)) {
        return Optional.of(fields.get(i).value());
      }
    }
    return Optional.empty();
  }

  /** The media type without its parameters, in lower case; empty when none is told. */
  public String mediaType() {
    String type = first("Content-Type").orElse("");
    int end = type.indexOf(';');
    return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }

  public boolean isPlainText() {
    for (String coding : values("Content-Encoding")) {
      if (!coding.equalsIgnoreCase("identity")) {
        return false;
      }
    }
    return true;
  }

  public boolean isInterim() {
    return status < 200;
  }

  /** Whether the connection may serve another request after this answer. */
  public boolean keepsConnection() {
    boolean close = false;
    boolean keep = false;
    for (String value : values("Connection")) {
      for (String token : value.split(",")) {
        close |= token.strip().equalsIgnoreCase("close");
        keep |= token.strip().equalsIgnoreCase("keep-alive");
      }
    }
    return !close && (http11 || keep);
  }

  /**
   * How the body ends.
   *
   * @throws UpstreamException two readers could find different ends
   */
  BodyDecoder decoder(boolean headRequest) {
    List<String> codings = values("Transfer-Encoding");
    List<String> lengths = values("Content-Length");
    if (!codings.isEmpty() && !lengths.isEmpty()) {
      throw new UpstreamException("both Transfer-Encoding and Content-Length");
    }
    if (headRequest || status == 204 || status == 304) {
      return new BodyDecoder.Fixed(0);
    }
    if (!codings.isEmpty()) {
      if (codings.size() != 1 || !codings.get(0).equalsIgnoreCase("chunked") || !http11) {
        throw new UpstreamException("Transfer-Encoding " + codings);
      }
      return new BodyDecoder.Chunked();
    }
    if (lengths.isEmpty()) {
      return new BodyDecoder.UntilClose();
    }
    String length = lengths.get(0);
    if (!HeaderLines.isLength(length) || Set.copyOf(lengths).size() > 1) {
      throw new UpstreamException("Content-Length " + lengths);
    }
    return new BodyDecoder.Fixed(Long.parseLong(length));
  }
}
