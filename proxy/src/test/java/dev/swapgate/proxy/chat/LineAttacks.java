package dev.swapgate.proxy.chat;

import java.util.List;

/** Families of attacks by the first line of a request, its Host, and bytes out of place. */
final class LineAttacks {

  private LineAttacks() {}

  static void addTo(List<Attack> all) {
    bytesOutOfPlace(all);
    targets(all);
    versions(all);
    hosts(all);
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
}
