package dev.swapgate.backends.sim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What clients of the fake Docker API send: to Docker, a null is the same as nothing. */
final class FakeDockerBody {
  private FakeDockerBody() {}

  /**
   * The object without its nulls.
   *
   * @throws Json.Malformed when it is no JSON
   */
  static Map<String, Object> object(String text) {
    Map<String, Object> object = new LinkedHashMap<>();
    Json.asObject(Json.parse(text)).forEach((key, value) -> put(object, key, value));
    return object;
  }

  private static void put(Map<String, Object> object, String key, @Nullable Object value) {
    if (value != null) {
      object.put(key, present(value));
    }
  }

  private static Object present(Object value) {
    if (value instanceof Map<?, ?>) {
      Map<String, Object> object = new LinkedHashMap<>();
      Json.asObject(value).forEach((key, inner) -> put(object, key, inner));
      return object;
    }
    if (value instanceof List<?> list) {
      List<Object> items = new ArrayList<>();
      for (Object item : list) {
        if (item != null) {
          items.add(present(item));
        }
      }
      return items;
    }
    return value;
  }
}
