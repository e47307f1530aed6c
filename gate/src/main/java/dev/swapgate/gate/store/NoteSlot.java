package dev.swapgate.gate.store;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Note;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The place of one backend and verb: two blocks, of which the one that does not hold the newest
 * note is written next. Not thread-safe; belongs to {@link NotesFile}.
 */
final class NoteSlot {
  private final long at;
  private final boolean damaged;
  private int newestCopy;
  private @Nullable NoteBlock newest;

  private NoteSlot(long at, int newestCopy, @Nullable NoteBlock newest, boolean damaged) {
    this.at = at;
    this.newestCopy = newestCopy;
    this.newest = newest;
    this.damaged = damaged;
  }

  /**
   * @param at where its first block begins in the file
   */
  static NoteSlot read(RandomAccessFile disk, long at) throws IOException {
    byte[] first = block(disk, at);
    byte[] second = block(disk, at + NoteBlock.SIZE);
    NoteBlock one = NoteBlock.read(first).orElse(null);
    NoteBlock two = NoteBlock.read(second).orElse(null);
    if (one == null && two == null) {
      // One torn block beside a blank one: its note never returned, so nothing was sent.
      return new NoteSlot(at, 1, null, !isBlank(first) && !isBlank(second));
    }
    boolean isSecond = one == null || (two != null && two.sequence() > one.sequence());
    return new NoteSlot(at, isSecond ? 1 : 0, isSecond ? two : one, false);
  }

  private static byte[] block(RandomAccessFile disk, long at) throws IOException {
    byte[] bytes = new byte[NoteBlock.SIZE];
    disk.seek(at);
    disk.readFully(bytes);
    return bytes;
  }

  private static boolean isBlank(byte[] bytes) {
    for (byte each : bytes) {
      if (each != 0) {
        return false;
      }
    }
    return true;
  }

  /** True when neither block can be read and both were written: no torn write explains that. */
  boolean isDamaged() {
    return damaged;
  }

  Optional<NoteBlock> newest() {
    return Optional.ofNullable(newest);
  }

  boolean belongsTo(Backend.Id backend, Note.Verb verb) {
    NoteBlock held = newest;
    return held != null && held.note().backend().equals(backend) && held.note().verb() == verb;
  }

  /**
   * Writes over the older block and syncs it. When that fails the newer one is untouched, and the
   * next write goes to the same place again.
   */
  void write(RandomAccessFile disk, NoteBlock block) throws IOException {
    int copy = 1 - newestCopy;
    byte[] bytes = block.bytes();
    disk.seek(at + (long) copy * NoteBlock.SIZE);
    disk.write(bytes);
    disk.getFD().sync();
    newestCopy = copy;
    newest = block;
  }
}
