package dev.swapgate.proxy.admin;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/**
 * One thing that {@code check} found.
 *
 * @param id a word for programs, such as {@code restart_always}
 * @param backend empty when none is concerned
 * @param what what was seen
 * @param why what comes of it
 * @param mend the command or the change that mends it; empty when there is nothing to do
 */
public record Finding(
    String id, Severity severity, String backend, String what, String why, String mend) {

  /** How bad it is. */
  public enum Severity {
    /** A swap would fail, or the card would be shared. */
    PROBLEM,
    /** It works, and may surprise one day. */
    WARNING,
    /** Good to know. */
    NOTE;

    @JsonValue
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
