package dev.swapgate.backends.sim;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** One second of a real WAV whose melody comes from a key: the same key, the same bytes. */
final class Sound {
  private static final int RATE = 8_000;
  private static final int NOTES = 8;
  private static final int HEADER = 44;

  private Sound() {}

  static byte[] wav(String key) {
    byte[] seed = Digest.of(key);
    ByteBuffer wav = ByteBuffer.allocate(HEADER + 2 * RATE).order(ByteOrder.LITTLE_ENDIAN);
    wav.put(ascii("RIFF")).putInt(HEADER - 8 + 2 * RATE).put(ascii("WAVEfmt ")).putInt(16);
    wav.putShort((short) 1).putShort((short) 1).putInt(RATE).putInt(2 * RATE);
    wav.putShort((short) 2).putShort((short) 16).put(ascii("data")).putInt(2 * RATE);
    for (int i = 0; i < RATE; i++) {
      int period = 16 + (seed[i * NOTES / RATE] & 63);
      // A triangle: whole numbers only, so that no machine rounds differently.
      int height = Math.abs(2 * (i % period) - period);
      wav.putShort((short) (height * 12_000 / period - 6_000));
    }
    return wav.array();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
