package dev.swapgate.proxy.chat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What is said to an engine directly and through swapgate, to compare. */
final class Talks {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  private static final String HOST = "Host: box.local\r\n";

  private Talks() {}

  static List<Talk> all() {
    List<Talk> all = new ArrayList<>();
    methods(all);
    targets(all);
    requestHeaders(all);
    requestBodies(all);
    statuses(all);
    answerBodies(all);
    streams(all);
    otherProtocols(all);
    return all;
  }

  private static void methods(List<Talk> all) {
    for (String method :
        List.of(
            "GET",
            "DELETE",
            "OPTIONS",
            "PROPFIND",
            "PROPPATCH",
            "MKCOL",
            "COPY",
            "MOVE",
            "LOCK",
            "UNLOCK",
            "REPORT",
            "SEARCH",
            "QUERY",
            "PURGE",
            "M-SEARCH",
            "get",
            "Brew",
            "X!#$%&'*")) {
      all.add(Talk.of("method " + method, method + " /v1/x HTTP/1.1\r\n" + HOST + "\r\n", OK));
      all.add(
          Talk.of(
              "method " + method + " with a body",
              method + " /v1/x HTTP/1.1\r\n" + HOST + "Content-Length: 2\r\n\r\nhi",
              OK));
    }
    for (String method : List.of("POST", "PUT", "PATCH")) {
      all.add(
          Talk.of(
              "method " + method,
              method + " /v1/x HTTP/1.1\r\n" + HOST + "Content-Length: 2\r\n\r\nhi",
              OK));
    }
    all.add(Talk.of("method OPTIONS *", "OPTIONS * HTTP/1.1\r\n" + HOST + "\r\n", OK));
    all.add(
        Talk.of(
            "method HEAD",
            "HEAD /v1/x HTTP/1.1\r\n" + HOST + "\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 1234\r\nETag: W/\"x\"\r\n\r\n"));
  }

  private static void targets(List<Talk> all) {
    for (String target :
        List.of(
            "/",
            "/a",
            "/a?",
            "/?",
            "/a??",
            "/a?b?c=/d",
            "/a?x",
            "/a?x=",
            "/a?=x",
            "/a?x=1&x=2&&y",
            "/a;p=1;q/b;r=2?x;y",
            "/a%2Fb/%2e%2e/%00?x=%41%2f%3F%26&%20=+",
            "/%61%7e",
            "//",
            "//a///b//",
            "/a/../b/./c/..",
            "/../../etc",
            "/..;/a",
            "/a//?//",
            "/%E2%82%AC?%e2%82%ac",
            "/a:b@c!$&'()*+,;=-._~",
            "/v1/models/org%2Fmodel:latest",
            "/as",
            "/asx/y",
            "/a?" + "k=v&".repeat(900),
            "/a?q=" + "x".repeat(30_000),
            "/" + "p/".repeat(12_000))) {
      String name = target.length() > 60 ? target.substring(0, 20) + "… long" : target;
      all.add(Talk.of("target " + name, "GET " + target + " HTTP/1.1\r\n" + HOST + "\r\n", OK));
    }
  }

  private static void requestHeaders(List<Talk> all) {
    List<String> lines = new ArrayList<>();
    lines.add("X-Twice: one\r\nX-Other: 1\r\nX-Twice: two\r\nx-twice: three\r\n");
    lines.add("Accept: a/b, c/d\r\nAccept: e/f;q=0.5\r\n");
    lines.add("Cookie: a=1; b=2\r\nCookie: c=3\r\ncookie: d=\"4\"\r\n");
    lines.add("X-Empty:\r\nX-Blank:   \r\nX-Blanks: \t a  b \t c \t\r\nX-None:x\r\n");
    lines.add("X-High: \u00e9\u00ff\u0080\r\n");
    lines.add("authorization: Bearer k\r\nAUTHORIZATION2: b\r\ncontent-TYPE: text/x\r\n");
    lines.add("!#$%&'*+-.^_`|~09Az: odd name\r\n");
    lines.add("X-Quoted: \"a, b\", (c;\\\" {}[]<>@\r\n");
    lines.add("Accept-Encoding: gzip, br\r\nUser-Agent: x/1 (y)\r\nIf-None-Match: *\r\n");
    lines.add("Range: bytes=0-1\r\nVia: 1.1 other\r\nForwarded: for=10.0.0.1\r\n");
    lines.add("X-Api-Key: k\r\nAnthropic-Version: 2023-06-01\r\nIdempotency-Key: 1\r\n");
    lines.add("Date: yesterday\r\nAge: 1\r\nServer: client\r\nOrigin: null\r\nDNT: 1\r\n");
    lines.add("X-Long: " + "y".repeat(20_000) + "\r\n");
    lines.add(numbered(95));
    for (int i = 0; i < lines.size(); i++) {
      all.add(
          Talk.of(
              "request headers " + i,
              "POST /v1/x HTTP/1.1\r\n" + HOST + lines.get(i) + "Content-Length: 1\r\n\r\nx",
              OK));
    }
    all.add(
        Talk.of(
            "request headers of the connection",
            "GET /v1/x HTTP/1.1\r\n"
                + HOST
                + "Connection: keep-alive, X-Mine, TE\r\nX-Mine: 1\r\nTE: trailers\r\n"
                + "Keep-Alive: timeout=5\r\nProxy-Authorization: Basic eA==\r\n"
                + "Proxy-Connection: keep-alive\r\nX-Forwarded-For: 10.0.0.1\r\n\r\n",
            OK));
  }

  private static String numbered(int count) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < count; i++) {
      lines.append("X-").append(i).append(": ").append(i).append("\r\n");
    }
    return lines.toString();
  }

  private static void requestBodies(List<Talk> all) {
    String post = "POST /v1/x HTTP/1.1\r\n" + HOST;
    all.add(Talk.of("empty body", post + "Content-Length: 0\r\n\r\n", OK));
    all.add(Talk.of("leading zeros", post + "Content-Length: 002\r\n\r\nhi", OK));
    all.add(
        Talk.of(
            "chunked body",
            post + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4;x=y\r\ndefg\r\n0\r\n\r\n",
            OK));
    all.add(
        Talk.of(
            "chunked body with trailers",
            post
                + "Trailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n",
            OK));
    all.add(
        Talk.of("empty chunked body", post + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", OK));
    all.add(
        new Talk(
            "expect",
            List.of(
                Talk.bytes(post + "Expect: 100-continue\r\nContent-Length: 5\r\n\r\n"),
                Talk.bytes("later")),
            List.of(Talk.bytes(OK)),
            false));
    byte[] large = new byte[20 * 1024 * 1024];
    new Random(7).nextBytes(large);
    byte[] head = Talk.bytes(post + "Content-Length: " + large.length + "\r\n\r\n");
    byte[] answer = Talk.bytes("HTTP/1.1 200 OK\r\nContent-Length: " + large.length + "\r\n\r\n");
    all.add(new Talk("20 MB", List.of(join(head, large)), List.of(join(answer, large)), false));
  }

  private static byte[] join(byte[] first, byte[] second) {
    byte[] both = java.util.Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private static void statuses(List<Talk> all) {
    String get = "GET /v1/x HTTP/1.1\r\n" + HOST + "\r\n";
    for (String status :
        List.of(
            "200 Fine, thanks",
            "201 Created",
            "202 Accepted",
            "206 Partial Content",
            "207 X",
            "301 Moved",
            "302 Found",
            "307 Elsewhere",
            "400 No",
            "401 Who",
            "403 Never",
            "404 Nothing",
            "408 Late",
            "409 Conflict",
            "413 Big",
            "418 I'm a teapot",
            "422 What",
            "429 Slow down",
            "451 Law",
            "499 Odd",
            "500 Oh",
            "501 No",
            "502 Bad",
            "503 Loading",
            "504 Late",
            "529 Overloaded",
            "599 Last",
            "299 ",
            "430")) {
      all.add(
          Talk.of(
              "status " + status,
              get,
              "HTTP/1.1 "
                  + status
                  + "\r\nRetry-After: 7\r\nContent-Type: application/json\r\n"
                  + "Content-Length: 16\r\n\r\n{\"error\":\"mine\"}"));
    }
    for (String status : List.of("204 No Content", "304 Not Modified")) {
      all.add(Talk.of("status " + status, get, "HTTP/1.1 " + status + "\r\nETag: \"a\"\r\n\r\n"));
    }
    all.add(
        Talk.of(
            "304 with the length of what is not sent",
            get,
            "HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n"));
    all.add(
        Talk.of(
            "early hints",
            get,
            "HTTP/1.1 102 Processing\r\n\r\n"
                + "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nLink: </b>\r\n\r\n"
                + OK));
    all.add(Talk.of("100 unasked", get, "HTTP/1.1 100 Continue\r\n\r\n" + OK));
  }

  private static void answerBodies(List<Talk> all) {
    String get = "GET /v1/x HTTP/1.1\r\n" + HOST + "\r\n";
    all.add(Talk.of("empty answer", get, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
    all.add(
        Talk.of(
            "answer headers",
            get,
            "HTTP/1.1 200 OK\r\nserver: uvicorn\r\nDate: Mon, 01 Jan 2026 00:00:00 GMT\r\n"
                + "Set-Cookie: a=1; Path=/\r\nX-A: 1\r\nset-cookie: b=2\r\nX-B:  two  blanks \r\n"
                + "content-type: application/json\r\nX-Empty:\r\nX-High: \u00e9\r\n"
                + "Cache-Control: max-age=1\r\nX-A: 2\r\nVia: 1.0 x\r\nAlt-Svc: clear\r\n"
                + "Access-Control-Allow-Origin: *\r\nX-Request-Id: 7\r\nTransfer-Encoding: chunked"
                + "\r\n\r\n2\r\nok\r\n0\r\n\r\n"));
    all.add(
        Talk.of(
            "answer headers of the connection",
            get,
            "HTTP/1.1 200 OK\r\nConnection: keep-alive, X-Hop\r\nX-Hop: 1\r\n"
                + "Keep-Alive: timeout=5\r\nContent-Length: 2\r\n\r\nok"));
    all.add(
        Talk.of(
            "answer in chunks with trailers",
            get,
            "HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "2\r\nok\r\n0\r\nX-Sum: 42\r\nX-Sum: 43\r\n\r\n"));
    all.add(
        Talk.of(
                "answer until the end of the connection",
                get,
                "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nall of it")
            .thenCloses());
    all.add(
        Talk.of(
                "answer and close",
                get,
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")
            .thenCloses());
    all.add(
        Talk.of("answer of HTTP/1.0", get, "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok")
            .thenCloses());
  }

  private static void streams(List<Talk> all) {
    String head = "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nTransfer-Encoding: chunked\r\n\r\n";
    String post = "POST /v1/x HTTP/1.1\r\n" + HOST + "Content-Length: 2\r\n\r\n{}";
    all.add(
        Talk.of("events", post, "")
            .answeredIn(
                head.formatted("text/event-stream; charset=utf-8"),
                chunk("data: {\"n\":1}\n\n"),
                chunk(": ping\n\n"),
                chunk("event: x\r\ndata: 2\r\n\r\n"),
                chunk("data: a\ndata: b\n\ndata: c\n\n"),
                chunk("data: [DONE]\n\n"),
                "0\r\n\r\n"));
    all.add(
        Talk.of("lines of JSON", post, "")
            .answeredIn(
                head.formatted("application/x-ndjson"),
                chunk("{\"a\":1}\n"),
                chunk("{\"a\":2}\n"),
                "0\r\n\r\n"));
    all.add(
        Talk.of("any chunks", post, "")
            .answeredIn(
                head.formatted("application/octet-stream"),
                chunk("a"),
                chunk("\u0000\u00ff"),
                chunk("x".repeat(9000)),
                "0\r\n\r\n"));
  }

  private static String chunk(String data) {
    return Integer.toHexString(data.length()) + "\r\n" + data + "\r\n";
  }

  private static void otherProtocols(List<Talk> all) {
    all.add(Talk.of("client of HTTP/1.0", "GET /v1/x HTTP/1.0\r\n\r\n", OK).thenCloses());
    all.add(
        Talk.of(
            "client of HTTP/1.0 with Host",
            "POST /v1/x HTTP/1.0\r\n" + HOST + "Content-Length: 1\r\n\r\nx",
            OK));
    all.add(
        Talk.of(
            "absolute form",
            "GET http://box.local/v1/x?q=1 HTTP/1.1\r\nHost: box.local\r\n\r\n",
            OK));
    all.add(
        Talk.of(
            "WebSocket",
            "GET /ws?x HTTP/1.1\r\n"
                + HOST
                + "Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: k\r\n"
                + "Sec-WebSocket-Protocol: a, b\r\nSec-WebSocket-Extensions: permessage-deflate"
                + "\r\n\r\n",
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: s\r\nSec-WebSocket-Protocol: a\r\n\r\nfirst\n"));
  }
}
