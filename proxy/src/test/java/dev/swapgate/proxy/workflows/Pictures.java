package dev.swapgate.proxy.workflows;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.DeflaterOutputStream;

/**
 * PNGs as ComfyUI and tools behind it leave them; of the picture itself there is next to nothing.
 */
public final class Pictures {

  private Pictures() {}

  /** With these chunks, each as {@link #text} and its like make them, before the picture's end. */
  public static byte[] png(byte[]... chunks) {
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.write(PngGraph.SIGNATURE);
      out.write(chunk("IHDR", new byte[13]));
      out.write(chunk("IDAT", new byte[100_000]));
      for (byte[] chunk : chunks) {
        out.write(chunk);
      }
      out.write(chunk("IEND", new byte[0]));
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static byte[] text(String keyword, String text) {
    return chunk("tEXt", (keyword + "\0" + text).getBytes(StandardCharsets.ISO_8859_1));
  }

  public static byte[] packed(String keyword, String text) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write((keyword + "\0\0").getBytes(StandardCharsets.ISO_8859_1));
    out.write(deflated(text.getBytes(StandardCharsets.ISO_8859_1)));
    return chunk("zTXt", out.toByteArray());
  }

  public static byte[] international(String keyword, String text, boolean packed)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    String flags = keyword + "\0" + (packed ? "\1" : "\0") + "\0de\0Wort\0";
    out.write(flags.getBytes(StandardCharsets.UTF_8));
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    out.write(packed ? deflated(utf8) : utf8);
    return chunk("iTXt", out.toByteArray());
  }

  private static byte[] deflated(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DeflaterOutputStream deflater = new DeflaterOutputStream(out)) {
      deflater.write(bytes);
    }
    return out.toByteArray();
  }

  private static byte[] chunk(String type, byte[] content) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeInt(content.length);
      byte[] name = type.getBytes(StandardCharsets.US_ASCII);
      out.write(name);
      out.write(content);
      CRC32 sum = new CRC32();
      sum.update(name);
      sum.update(content);
      out.writeInt((int) sum.getValue());
      return bytes.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
