package dev.swapgate.proxy.http;

import java.util.ArrayList;
import java.util.List;

/** One header or trailer line, as it was received, without the blanks around its value. */
public record Field(String name, String value) {

  /** The values of all lines of a name, in their order. */
  public static List<String> values(List<Field> fields, String name) {
    List<String> values = new ArrayList<>(2);
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).is(name)) {
        values.add(fields.get(i).value());
      }
    }
    return values;
  }

  /** Whether this is its name, in whatever case. */
  public boolean is(String other) {
    return name.equalsIgnoreCase(other);
  }
}
