package dev.swapgate.backends.sim;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.Adler32;
import java.util.zip.CRC32;

/**
 * A small real PNG whose pixels come from a key: the same key gives the same bytes on every
 * machine. The pixels are stored, not compressed, because zlib builds differ in what they make of
 * them.
 */
final class Picture {
  private static final int SIDE = 64;
  private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  private static final byte[] EIGHT_BIT_RGB = {8, 2, 0, 0, 0};

  private Picture() {}

  static byte[] png(String key) {
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    png.writeBytes(SIGNATURE);
    chunk(
        png, "IHDR", ByteBuffer.allocate(13).putInt(SIDE).putInt(SIDE).put(EIGHT_BIT_RGB).array());
    chunk(png, "IDAT", stored(pixels(Digest.of(key))));
    chunk(png, "IEND", new byte[0]);
    return png.toByteArray();
  }

  private static byte[] pixels(byte[] seed) {
    ByteBuffer rows = ByteBuffer.allocate(SIDE * (1 + 3 * SIDE));
    for (int y = 0; y < SIDE; y++) {
      rows.put((byte) 0);
      for (int x = 0; x < SIDE; x++) {
        int cell = seed[(x / 8 + 8 * (y / 8)) % seed.length];
        rows.put((byte) (seed[0] + 2 * x + cell / 4));
        rows.put((byte) (seed[1] + 2 * y + cell / 4));
        rows.put((byte) (seed[2] + x + y + cell / 4));
      }
    }
    return rows.array();
  }

  /** A zlib stream of one stored block. */
  private static byte[] stored(byte[] data) {
    Adler32 adler = new Adler32();
    adler.update(data);
    return ByteBuffer.allocate(data.length + 11)
        .put((byte) 0x78)
        .put((byte) 0x01)
        .put((byte) 1)
        .putShort(Short.reverseBytes((short) data.length))
        .putShort(Short.reverseBytes((short) ~data.length))
        .put(data)
        .putInt((int) adler.getValue())
        .array();
  }

  private static void chunk(ByteArrayOutputStream png, String type, byte[] data) {
    byte[] name = type.getBytes(StandardCharsets.US_ASCII);
    CRC32 crc = new CRC32();
    crc.update(name);
    crc.update(data);
    png.writeBytes(ByteBuffer.allocate(4).putInt(data.length).array());
    png.writeBytes(name);
    png.writeBytes(data);
    png.writeBytes(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
  }
}
