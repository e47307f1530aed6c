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
    bytesOutOfPlace(all);
    targets(all);
    versions(all);
    hosts(all);
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

  /** Each byte that ends a line or a name for some reader, in each place of a head. */
  private static void bytesOutOfPlace(List<Attack> all) {
    String rest = "\r\nHost: a\r\n\r\n";
    List<String> places =
        List.of(
            "@GET /x HTTP/1.1" + rest,
            "G@ET /x HTTP/1.1" + rest,
            "GET@ /x HTTP/1.1" + rest,
            "GET /@x HTTP/1.1" + rest,
            "GET /x@ HTTP/1.1" + rest,
            "GET /x H@TTP/1.1" + rest,
            "GET /x HTTP/1.1@" + rest,
            "GET /x HTTP/1.1\r\n@Host: a\r\n\r\n",
            "GET /x HTTP/1.1\r\nHo@st: a\r\n\r\n",
            "GET /x HTTP/1.1\r\nHost@: a\r\n\r\n",
            "GET /x HTTP/1.1\r\nX:@ b" + rest,
            "GET /x HTTP/1.1\r\nX: b@c" + rest,
            "GET /x HTTP/1.1\r\nHost: a\r\nX: b@\r\n\r\n");
    for (char odd : new char[] {0, 1, '\t', '\n', 0xb, 0xc, '\r', 0x1b, 0x7f, 0x80, 0xa0}) {
      for (String place : places) {
        boolean inValue = place.contains(":@") || place.contains("b@");
        if (!inValue || (odd != '\t' && odd < 0x80)) {
          String name =
              "byte " + Integer.toHexString(odd) + " in " + place.strip().replace("\r\n", " ");
          all.add(Attack.refused(name, place.replace('@', odd), 400));
        }
      }
    }
  }

  private static void targets(List<Attack> all) {
    for (String target :
        List.of(
            "x",
            "*",
            "?x",
            "#",
            "\\x",
            "/x\\y",
            "/x y",
            "/x#y",
            "/x\"",
            "/<x>",
            "/{x}",
            "/x|y",
            "/x^y",
            "/`x`",
            "/%",
            "/%g1",
            "/%1",
            "/%1g",
            "/x?%",
            "/x?a=%zz",
            "/\u00e9",
            "/x?\u00e9",
            ":8485/x",
            "http:/x",
            "http:x",
            "//",
            "http://",
            "1http://a/x",
            "http//a/x",
            "a:8485")) {
      if (target.equals("//")) {
        all.add(Attack.passed("target //", "GET // HTTP/1.1\r\nHost: a\r\n\r\n", "GET //"));
      } else {
        all.add(
            Attack.refused(
                "target <" + target + ">", "GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n", 400));
      }
    }
    for (String same :
        List.of(
            "/api/v1/status",
            "/%61pi/v1/status",
            "/x/../api/v1/jobs",
            "/x/%2e%2e/api/v1/jobs",
            "/..;/api/v1/jobs",
            "/x%2f..%2fapi",
            "//127.0.0.1:8485/api/v1/status",
            "/x%00",
            "/%0d%0aX:y",
            "/x?http://a/",
            "/metrics",
            "/readyz",
            "/%5c..%5c",
            "/@127.0.0.1:8485/",
            "/;@b",
            "/x[1]?[a]")) {
      all.add(
          Attack.passed(
              "target <" + same + ">",
              "GET " + same + " HTTP/1.1\r\nHost: a\r\n\r\n",
              "GET " + same));
    }
  }

  private static void versions(List<Attack> all) {
    for (String version :
        List.of(
            "HTTP/0.9",
            "HTTP/1.2",
            "HTTP/1.9",
            "HTTP/2.0",
            "HTTP/3.0",
            "HTTP/9.9",
            "HTTP/1",
            "HTTP/1.",
            "HTTP/.1",
            "HTTP/11.1",
            "HTTP/1.01",
            "HTTP/1.1.1",
            "http/1.1",
            "Http/1.1",
            "HTTP/1,1",
            "HTTP 1.1",
            "HTTP/1.1 ",
            " HTTP/1.1",
            "HTTP/1.1 x",
            "HTP/1.1",
            "HTTP/-1.1",
            "HTTP/1.a",
            "ICY",
            "SIP/2.0",
            "")) {
      all.add(
          Attack.refused(
              "version <" + version + ">", "GET /x " + version + "\r\nHost: a\r\n\r\n", 400));
    }
  }

  private static void hosts(List<Attack> all) {
    for (String host :
        List.of(
            "a b",
            "a, b",
            "a/b",
            "a@b",
            "a?b",
            "a#b",
            "a\\b",
            "a:b",
            "a:-1",
            "a:99999",
            "a:80:80",
            "[::1",
            "[zz]",
            "http://a",
            "a%",
            "a%zz",
            "\u00e9",
            "a\tb",
            "<a>")) {
      all.add(
          Attack.refused(
              "host <" + host + ">", "GET /x HTTP/1.1\r\nHost: " + host + "\r\n\r\n", 400));
    }
    for (String host : List.of("a", "A.B", "a:1", "127.0.0.1:8485", "[::1]:8485", "a_b", "xn--a")) {
      all.add(
          Attack.passed(
              "host <" + host + ">", "GET /x HTTP/1.1\r\nHost: " + host + "\r\n\r\n", "GET /x"));
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
