package dev.swapgate.proxy.chat;

import dev.swapgate.proxy.http.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * One exchange as its two ends saw it.
 *
 * @param request what the engine got
 * @param early what the client got before the answer: 100, 103
 * @param answer what the client got
 */
record Seen(Wire.Message request, List<Wire.Message> early, Wire.Message answer) {

  /** What a client or an engine would notice, one word each. */
  Set<String> differencesTo(Seen direct) {
    Set<String> found = new TreeSet<>();
    String[] mine = request.start().split(" ", -1);
    String[] theirs = direct.request.start().split(" ", -1);
    differ(found, "method", mine[0], theirs[0]);
    differ(found, "target", mine[1], theirs[1]);
    differ(found, "version", mine[2], theirs[2]);
    fields(found, "request", request.fields(), direct.request.fields());
    fields(found, "request trailer", request.trailers(), direct.request.trailers());
    if (!Arrays.equals(request.body(), direct.request.body())) {
      found.add("request body");
    }
    differ(found, "early answers", heads(early), heads(direct.early));
    differ(found, "status line", answer.start(), direct.answer.start());
    fields(found, "answer", answer.fields(), direct.answer.fields());
    fields(found, "answer trailer", answer.trailers(), direct.answer.trailers());
    if (!Arrays.equals(answer.body(), direct.answer.body())) {
      found.add("answer body");
    }
    return found;
  }

  private static List<String> heads(List<Wire.Message> messages) {
    return messages.stream().map(m -> m.start() + m.fields()).toList();
  }

  private static void differ(Set<String> found, String what, Object mine, Object theirs) {
    if (!mine.equals(theirs)) {
      found.add(what);
    }
  }

  private static void fields(
      Set<String> found, String where, List<Field> mine, List<Field> theirs) {
    Set<String> names = new LinkedHashSet<>();
    mine.forEach(field -> names.add(field.name().toLowerCase(Locale.ROOT)));
    theirs.forEach(field -> names.add(field.name().toLowerCase(Locale.ROOT)));
    Set<String> changed = new TreeSet<>();
    for (String name : names) {
      if (!of(mine, name).equals(of(theirs, name))) {
        changed.add(name);
        found.add(where + ": " + name);
      }
    }
    if (!order(mine, changed).equals(order(theirs, changed))) {
      found.add(where + ": order of the others");
    }
  }

  private static List<Field> of(List<Field> fields, String name) {
    return fields.stream().filter(field -> field.is(name)).toList();
  }

  private static List<String> order(List<Field> fields, Set<String> without) {
    List<String> names = new ArrayList<>();
    for (Field field : fields) {
      if (!without.contains(field.name().toLowerCase(Locale.ROOT))) {
        names.add(field.name());
      }
    }
    return names;
  }
}
