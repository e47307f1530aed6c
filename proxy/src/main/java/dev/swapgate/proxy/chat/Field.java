package dev.swapgate.proxy.chat;

/** One header or trailer line, as it was received. */
record Field(String name, String value) {
  boolean is(String other) {
    return name.equalsIgnoreCase(other);
  }
}
