package dev.swapgate.gate.store;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.CommandEnd;
import dev.swapgate.gate.core.ContainerSighting;
import dev.swapgate.gate.core.Note;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * One note as one block of the file: magic, sequence, length, checksum, and the note itself.
 *
 * @param sequence rises with every note written to the file; the higher one is the newer one
 */
record NoteBlock(long sequence, Note note) {
  /** The largest sector that disks write as one. */
  static final int SIZE = 4096;

  /** "SGN1": the first shape of a block. */
  private static final int MAGIC = 0x53474E31;

  private static final int HEAD = Integer.BYTES + Long.BYTES + Integer.BYTES + Integer.BYTES;
  private static final int LENGTH_AT = Integer.BYTES + Long.BYTES;
  private static final int CHECKSUM_AT = LENGTH_AT + Integer.BYTES;

  /** Characters of a reason that are kept: at most 3 bytes each, so it always fits. */
  static final int REASON_KEPT = 1000;

  private static final byte UNDER_WAY = 0;
  private static final byte DONE = 1;
  private static final byte FAILED = 2;
  private static final byte UNKNOWN = 3;

  /**
   * The block as it is written.
   *
   * @throws IllegalArgumentException when the names in it are too long for one block
   */
  byte[] bytes() {
    byte[] text = text();
    if (HEAD + text.length > SIZE) {
      throw new IllegalArgumentException(
          "a note of " + text.length + " bytes does not fit a block: " + note.backend());
    }
    ByteBuffer block = ByteBuffer.allocate(SIZE);
    block.putInt(MAGIC).putLong(sequence).putInt(text.length);
    block.putInt(checksum(sequence, text, text.length)).put(text);
    return block.array();
  }

  /** What the block holds; empty when it was never written, torn or overwritten. */
  static Optional<NoteBlock> read(byte[] bytes) {
    ByteBuffer block = ByteBuffer.wrap(bytes);
    int magic = block.getInt();
    long sequence = block.getLong();
    int length = block.getInt(LENGTH_AT);
    if (magic != MAGIC || length < 0 || length > SIZE - HEAD) {
      return Optional.empty();
    }
    byte[] text = new byte[length];
    block.get(HEAD, text);
    if (block.getInt(CHECKSUM_AT) != checksum(sequence, text, length)) {
      return Optional.empty();
    }
    try {
      return Optional.of(new NoteBlock(sequence, note(text)));
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static int checksum(long sequence, byte[] text, int length) {
    CRC32 crc = new CRC32();
    crc.update(ByteBuffer.allocate(HEAD).putLong(sequence).putInt(length).flip());
    crc.update(text);
    return (int) crc.getValue();
  }

  private byte[] text() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeUTF(note.backend().value());
      out.writeUTF(note.verb().name());
      out.writeLong(note.attempt());
      out.writeBoolean(note.run().isPresent());
      if (note.run().isPresent()) {
        out.writeUTF(note.run().get().id());
        write(out, note.run().get().startedAt());
      }
      write(out, note.sentAt());
      write(out, note.end());
    } catch (IOException e) {
      throw new IllegalArgumentException("a note cannot be written as bytes: " + note, e);
    }
    return bytes.toByteArray();
  }

  private static void write(DataOutputStream out, Instant at) throws IOException {
    out.writeLong(at.getEpochSecond());
    out.writeInt(at.getNano());
  }

  private static void write(DataOutputStream out, Optional<CommandEnd> end) throws IOException {
    if (end.isEmpty()) {
      out.writeByte(UNDER_WAY);
      return;
    }
    switch (end.get()) {
      case CommandEnd.Done done -> out.writeByte(DONE);
      case CommandEnd.Failed failed -> {
        out.writeByte(FAILED);
        out.writeUTF(cut(failed.reason()));
      }
      case CommandEnd.Unknown unknown -> {
        out.writeByte(UNKNOWN);
        out.writeUTF(cut(unknown.reason()));
      }
    }
  }

  private static String cut(String reason) {
    return reason.length() <= REASON_KEPT ? reason : reason.substring(0, REASON_KEPT - 1) + "…";
  }

  private static Note note(byte[] text) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(text))) {
      return new Note(
          new Backend.Id(in.readUTF()),
          Note.Verb.valueOf(in.readUTF()),
          in.readLong(),
          in.readBoolean()
              ? Optional.of(new ContainerSighting.Run(in.readUTF(), instant(in)))
              : Optional.empty(),
          instant(in),
          end(in));
    }
  }

  private static Instant instant(DataInputStream in) throws IOException {
    return Instant.ofEpochSecond(in.readLong(), in.readInt());
  }

  private static Optional<CommandEnd> end(DataInputStream in) throws IOException {
    byte kind = in.readByte();
    return switch (kind) {
      case UNDER_WAY -> Optional.empty();
      case DONE -> Optional.of(new CommandEnd.Done());
      case FAILED -> Optional.of(new CommandEnd.Failed(in.readUTF()));
      case UNKNOWN -> Optional.of(new CommandEnd.Unknown(in.readUTF()));
      default -> throw new IOException("no such end of a command: " + kind);
    };
  }
}
