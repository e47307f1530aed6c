package dev.swapgate.proxy.chat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads hand-written attacks. {@code == name} begins one; its lines end with CRLF on the wire, or
 * with nothing after a backslash; {@code \r \n \t \0 \xHH} are bytes. {@code => 400} says that it
 * is refused so, {@code => closed} without an answer, {@code => GET /x body} that this reaches the
 * engine.
 */
final class AttackFile {

  private AttackFile() {}

  static List<Attack> read(String resource) throws IOException {
    try (InputStream in = AttackFile.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IOException("no resource " + resource);
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      List<Attack> attacks = new ArrayList<>();
      for (String part : text.split("(?m)^== ")) {
        if (!part.startsWith("#")) {
          attacks.add(attack(part));
        }
      }
      return attacks;
    }
  }

  private static Attack attack(String part) {
    StringBuilder bytes = new StringBuilder();
    List<String> passed = new ArrayList<>();
    int status = -1;
    String[] lines = part.split("\n");
    for (int i = 1; i < lines.length; i++) {
      if (lines[i].equals("=> closed")) {
        status = 0;
      } else if (lines[i].matches("=> \\d+")) {
        status = Integer.parseInt(lines[i].substring(3));
      } else if (lines[i].startsWith("=> ")) {
        passed.add(unescaped(lines[i].substring(3)));
      } else if (status < 0 && passed.isEmpty()) {
        boolean open = lines[i].endsWith("\\");
        bytes.append(unescaped(open ? lines[i].replaceFirst("\\\\$", "") : lines[i]));
        bytes.append(open ? "" : "\r\n");
      }
    }
    if (status < 0 == passed.isEmpty()) {
      throw new IllegalArgumentException(lines[0] + ": one verdict, please");
    }
    return new Attack(lines[0], Attack.raw(bytes.toString()), passed, Math.max(status, 0));
  }

  private static String unescaped(String line) {
    StringBuilder bytes = new StringBuilder();
    for (int i = 0; i < line.length(); i++) {
      if (line.charAt(i) != '\\') {
        bytes.append(line.charAt(i));
        continue;
      }
      char code = line.charAt(++i);
      switch (code) {
        case 'r' -> bytes.append('\r');
        case 'n' -> bytes.append('\n');
        case 't' -> bytes.append('\t');
        case '0' -> bytes.append('\0');
        case 'x' -> {
          bytes.append((char) Integer.parseInt(line.substring(i + 1, i + 3), 16));
          i += 2;
        }
        default -> bytes.append(code);
      }
    }
    return bytes.toString();
  }
}
