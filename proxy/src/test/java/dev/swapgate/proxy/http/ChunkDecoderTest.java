package dev.swapgate.proxy.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChunkDecoderTest {
  private final ChunkDecoder decoder = new ChunkDecoder();

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  @Test
  void readsTheSameHoweverItIsCut() {
    String coded = "3;x=y\r\nabc\r\n0A \r\n0123456789\r\n000\r\nT: 1\r\n\r\nNEXT";
    for (int piece = 1; piece <= coded.length(); piece++) {
      ChunkDecoder whole = new ChunkDecoder();
      ByteBuffer out = ByteBuffer.allocate(100);
      ByteBuffer in = bytes(coded);
      while (!whole.done()) {
        ByteBuffer part = in.slice(in.position(), Math.min(piece, in.remaining()));
        whole.decode(part, out);
        in.position(in.position() + part.position());
      }

      assertThat(new String(out.array(), 0, out.position(), StandardCharsets.ISO_8859_1))
          .as("in pieces of %d", piece)
          .isEqualTo("abc0123456789");
      assertThat(whole.trailers()).containsExactly("T: 1");
      assertThat(in.remaining()).as("what follows is left").isEqualTo("NEXT".length());
    }
  }

  @Test
  void stopsWhenThereIsNoRoom() {
    ByteBuffer in = bytes("4\r\nabcd\r\n0\r\n\r\n");
    ByteBuffer out = ByteBuffer.allocate(3);
    decoder.decode(in, out);
    assertThat(decoder.done()).isFalse();
    decoder.decode(in, out.clear());
    assertThat(out.position()).isEqualTo(1);
    assertThat(decoder.done()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\r\n",
        "g\r\n",
        "-1\r\n",
        "+1\r\n",
        "0x1\r\n",
        "1_0\r\n",
        " 1\r\n",
        "1\n",
        "1\r\nab\r\n",
        "10000000000000000\r\n",
        "1;a\0b\r\n",
        "0\r\nx\n",
        "\u0661\r\n"
      })
  void refusesWhatCouldBeReadTwoWays(String coded) {
    assertThatThrownBy(() -> decoder.decode(bytes(coded), ByteBuffer.allocate(100)))
        .isInstanceOf(ChunkException.class);
  }
}
