package dev.swapgate.proxy.cli;

import java.util.List;
import java.util.OptionalLong;

/** Numbers as people say them. */
final class Words {

  private Words() {}

  /** {@code 45 s}, {@code 4 min}, {@code 2 h 5 min}: exact below two minutes, rounded up above. */
  static String seconds(long seconds) {
    if (seconds < 120) {
      return seconds + " s";
    }
    long minutes = (seconds + 59) / 60;
    if (minutes < 120) {
      return minutes + " min";
    }
    return minutes / 60 + " h" + (minutes % 60 == 0 ? "" : " " + minutes % 60 + " min");
  }

  /** A moment of the wire without its fractions of a second. */
  static String moment(String iso) {
    return iso.isEmpty() ? "-" : iso.replaceAll("\\.\\d+(?=Z|[+-]|$)", "").replace('T', ' ');
  }

  static String mib(OptionalLong mib) {
    return mib.isPresent() ? mib.getAsLong() + " MiB" : "unknown";
  }

  /** A table whose columns line up; nothing at its lines' ends. */
  static List<String> table(List<List<String>> rows) {
    int columns = rows.stream().mapToInt(List::size).max().orElse(0);
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.size(); i++) {
      line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
    }
    return line.toString().stripTrailing();
  }
}
