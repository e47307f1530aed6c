package dev.swapgate.proxy.http;

/** One header or trailer line, as it was received, without the blanks around its value. */
public record Field(String name, String value) {
  /** Whether this is its name, in whatever case. */
  public boolean is(String other) {
    return name.equalsIgnoreCase(other);
  }
}
