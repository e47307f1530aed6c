package dev.swapgate.proxy.chat;

import java.util.ArrayList;
import java.util.List;

/** Attacks that come in families: one pattern and the values that go into it. */
final class Attacks {
  private static final String POST = "POST /x HTTP/1.1\r\nHost: a\r\n";
  private static final String GET = "GET /x HTTP/1.1\r\nHost: a\r\n";

  private Attacks() {}

  static List<Attack> generated() {
    List<Attack> all = new ArrayList<>();
    transferCodings(all);
    lengths(all);
    chunkSizes(all);
    LineAttacks.addTo(all);
    connectionNames(all);
    sizes(all);
    return all;
  }

  private static void transferCodings(List<Attack> all) {
    for (String coding :
        List.of(
            "xchunked",
            "chunkedx",
            "chunked, identity",
            "identity, chunked",
            "chunked,chunked",
            "gzip, chunked",
            "gzip",
            "identity",
            "\"chunked\"",
            "'chunked'",
            "chunked;q=1",
            "chunked ;x",
            "chun ked",
            "chunked\u00ff",
            "chunk\u00e9d",
            "",
            ",chunked",
            "chunked,",
            "chunked\tx",
            "\u0085chunked",
            "chunked\u00a0",
            "c hunked",
            "[chunked]",
            "chunked\\",
            "trailers, chunked",
            "deflate",
            "x",
            "chunked:",
            ": chunked",
            "cow",
            "chunked\u0660")) {
      String body = "0\r\n\r\n";
      all.add(
          Attack.refused(
              "coding <" + coding + ">",
              POST + "Transfer-Encoding: " + coding + "\r\n\r\n" + body,
              400));
      all.add(
          Attack.refused(
              "coding <" + coding + "> with a length",
              POST + "Content-Length: 5\r\nTransfer-Encoding: " + coding + "\r\n\r\n" + body,
              400));
    }
    for (String same : List.of("chunked", "CHUNKED", "Chunked", "cHuNkEd", " \tchunked\t ")) {
      String line = "Transfer-Encoding: " + same + "\r\n";
      all.add(
          Attack.passed(
              "coding <" + same + ">", POST + line + "\r\n2\r\nhi\r\n0\r\n\r\n", "POST /x hi"));
      all.add(
          Attack.refused(
              "coding <" + same + "> and a length",
              POST + "Content-Length: 4\r\n" + line + "\r\n2\r\nhi\r\n0\r\n\r\n",
              400));
      all.add(
          Attack.refused(
              "coding <" + same + "> before a length",
              POST + line + "Content-Length: 4\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
              400));
    }
  }

  private static void lengths(List<Attack> all) {
    for (String length :
        List.of(
            "+1",
            "-1",
            "0x1",
            "1,1",
            "1, 1",
            "1 1",
            "1;",
            "1.0",
            "1e0",
            "",
            "NaN",
            "a",
            "1a",
            "0b1",
            "1_0",
            "\u00b2",
            "\u00b9",
            "'1'",
            "\"1\"",
            "0000000000000000001",
            "9223372036854775807",
            "9223372036854775808",
            "18446744073709551617",
            "1\t1",
            "=1",
            ":1",
            "1,",
            ",1")) {
      all.add(
          Attack.refused(
              "length <" + length + ">", POST + "Content-Length: " + length + "\r\n\r\nx", 400));
      all.add(
          Attack.refused(
              "length <" + length + "> after a good one",
              POST + "Content-Length: 1\r\nContent-Length: " + length + "\r\n\r\nx",
              400));
    }
    for (String length : List.of("1", "01", "000001", " \t1\t ")) {
      all.add(
          Attack.passed(
              "length <" + length + ">",
              POST + "Content-Length: " + length + "\r\n\r\nx",
              "POST /x x"));
    }
  }

  private static void chunkSizes(List<Attack> all) {
    String head = POST + "Transfer-Encoding: chunked\r\n\r\n";
    for (String size :
        List.of(
            "+1",
            "-1",
            "0x1",
            " 1",
            "\t1",
            "1_",
            "_1",
            "",
            "g",
            "1g",
            "1,1",
            "1 1",
            "1\u00e9",
            "ffffffffffffffff",
            "fffffffffffffffffffff",
            "0000000000000001",
            "1\u0000",
            "1\u000b",
            "1;a=\u0000",
            "1;a\rb",
            "1\r",
            ";a=b",
            "NaN",
            "1.0",
            "\u00b9",
            "1\u007f",
            "1;" + "x".repeat(5000))) {
      String name = size.length() > 30 ? size.substring(0, 5) + "… long" : size;
      all.add(Attack.refused("chunk size <" + name + ">", head + size + "\r\nx\r\n0\r\n\r\n", 400));
    }
    for (String size :
        List.of("1", "01", "000000001", "1;a=b", "1;a=\"b;c\"", "1 ;a", "1;", "1\t")) {
      all.add(
          Attack.passed(
              "chunk size <" + size + ">", head + size + "\r\nx\r\n0\r\n\r\n", "POST /x x"));
    }
  }

  private static void connectionNames(List<Attack> all) {
    for (String name :
        List.of(
            "Content-Length",
            "Host",
            "X-Forwarded-For",
            "Authorization",
            "Transfer-Encoding",
            "Connection",
            "Expect",
            "Cookie",
            "keep-alive, X-Swapgate-Answered-By",
            ",,,",
            "*")) {
      all.add(
          Attack.passed(
              "Connection names <" + name + ">",
              POST + "Connection: " + name + "\r\nAuthorization: k\r\nContent-Length: 1\r\n\r\nx",
              "POST /x x"));
    }
    for (String upgrade : List.of("h2c", "HTTP/2.0", "TLS/1.0", "foo", "h2c, websocket", "")) {
      all.add(
          Attack.passed(
              "Upgrade <" + upgrade + ">",
              GET
                  + "Connection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABk\r\nUpgrade: "
                  + upgrade
                  + "\r\n\r\n",
              "GET /x"));
    }
  }

  private static void sizes(List<Attack> all) {
    String end = " HTTP/1.1\r\nHost: a\r\n\r\n";
    all.add(Attack.refused("101 header lines", GET + "X: y\r\n".repeat(100) + "\r\n", 400));
    all.add(Attack.refused("2000 header lines", GET + "X: y\r\n".repeat(2000) + "\r\n", 400));
    all.add(Attack.refused("33 KiB header", GET + "X: " + "y".repeat(33_000) + "\r\n\r\n", 400));
    all.add(
        Attack.refused("a header name of 33 KiB", GET + "X".repeat(33_000) + ": y\r\n\r\n", 400));
    all.add(Attack.refused("a header without an end", GET + "X: " + "y".repeat(100_000), 400));
    all.add(Attack.refused("a target of 33 KiB", "GET /" + "x".repeat(33_000) + end, 400));
    all.add(Attack.refused("a query of 2000 parameters", "GET /?" + "a&".repeat(2000) + end, 400));
    all.add(Attack.refused("a method of 33 KiB", "G".repeat(33_000) + " /x" + end, 400));
    String chunked = POST + "Transfer-Encoding: chunked\r\n\r\n";
    all.add(
        Attack.refused(
            "51 trailers", chunked + "1\r\nx\r\n0\r\n" + "X: y\r\n".repeat(51) + "\r\n", 400));
    all.add(
        Attack.refused(
            "a trailer of 5 KiB", chunked + "0\r\nX: " + "y".repeat(5000) + "\r\n\r\n", 400));
    all.add(
        Attack.refused(
            "a chunk of 2^60 bytes", chunked + "fffffffffffffff\r\n" + "x".repeat(100), 0));
  }
}
