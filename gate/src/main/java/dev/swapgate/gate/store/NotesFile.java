package dev.swapgate.gate.store;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Note;
import dev.swapgate.gate.port.BackendException;
import dev.swapgate.gate.port.CommandNotes;
import dev.swapgate.gate.port.JobStore.StoreException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The commands noted before they are sent, in a file of fixed size (mode 0600) whose every byte is
 * written when it is created: overwriting it in place needs no space (on a file system that does
 * not copy on write). Each backend and verb has a slot of two blocks that are written in turn, so
 * that a write torn by a power cut leaves the note before it. Thread-safe; calls block on the disk.
 */
public final class NotesFile implements CommandNotes {
  /** A slot for each backend and verb. */
  static final int SLOTS = 64;

  private static final int COPIES = 2;

  /** 512 KiB, for ever. */
  static final long SIZE = (long) SLOTS * COPIES * NoteBlock.SIZE;

  private final ReentrantLock lock = new ReentrantLock();
  private final Path file;

  /** Not a channel: one whose thread is interrupted while it writes is closed for good. */
  private final RandomAccessFile disk;

  private final Set<Backend.Id> configured;
  private final List<NoteSlot> slots = new ArrayList<>();
  private final List<Note> before = new ArrayList<>();
  private long sequence;

  /**
   * Opens the file, or creates it with its folder.
   *
   * @param configured the backends that may be noted; slots of others are given away when needed
   * @throws StoreException when it is held by another process, damaged, unwritable, or the backends
   *     are more than it has slots for
   */
  public static NotesFile open(Path file, Collection<Backend.Id> configured) {
    refuseTooMany(configured);
    try {
      create(file);
      return new NotesFile(file, configured);
    } catch (IOException e) {
      throw new StoreException(
          "cannot open the command notes "
              + file
              + ": "
              + e
              + ". They need "
              + SIZE / 1024
              + " KiB, once, in a folder that swapgate's user may write",
          e);
    }
  }

  private NotesFile(Path file, Collection<Backend.Id> configured) throws IOException {
    this.file = file;
    this.configured = Set.copyOf(new HashSet<>(configured));
    this.disk = new RandomAccessFile(file.toFile(), "rw");
    try {
      holdAlone();
      load();
    } catch (IOException | RuntimeException e) {
      disk.close();
      throw e;
    }
  }

  private static void refuseTooMany(Collection<Backend.Id> configured) {
    int most = SLOTS / Note.Verb.values().length;
    if (configured.size() > most) {
      throw new StoreException(
          configured.size()
              + " backends are configured; the command notes have room for "
              + most
              + ". Configure fewer");
    }
  }

  /**
   * Whole or not at all: a crash in the middle leaves only a file that is overwritten next time.
   */
  private static void create(Path file) throws IOException {
    StateFiles.createFolder(StateFiles.folderOf(file));
    if (Files.exists(file)) {
      return;
    }
    Path half = file.resolveSibling(file.getFileName() + ".part");
    Files.deleteIfExists(half);
    StateFiles.create(half);
    try (RandomAccessFile blank = new RandomAccessFile(half.toFile(), "rw")) {
      // Zeros are written, not skipped: a hole would need space later.
      blank.write(new byte[(int) SIZE]);
      blank.getFD().sync();
    }
    Files.move(half, file, StandardCopyOption.ATOMIC_MOVE);
    StateFiles.sync(StateFiles.folderOf(file));
  }

  private void holdAlone() throws IOException {
    boolean held;
    try {
      held = disk.getChannel().tryLock() != null;
    } catch (OverlappingFileLockException e) {
      held = false;
    }
    if (!held) {
      throw new StoreException(
          StoreException.Kind.IN_USE,
          "cannot open the command notes "
              + file
              + ": another process holds them. A second swapgate seems to run on this state_dir:"
              + " stop it, or give this one a state_dir of its own");
    }
  }

  private void load() throws IOException {
    if (disk.length() != SIZE) {
      throw damaged("it has " + disk.length() + " bytes instead of " + SIZE);
    }
    for (int index = 0; index < SLOTS; index++) {
      NoteSlot slot = NoteSlot.read(disk, (long) index * COPIES * NoteBlock.SIZE);
      if (slot.isDamaged()) {
        throw damaged("both copies in slot " + index + " are unreadable");
      }
      slots.add(slot);
      slot.newest()
          .ifPresent(
              block -> {
                before.add(block.note());
                sequence = Math.max(sequence, block.sequence());
              });
    }
  }

  private StoreException damaged(String seen) {
    return new StoreException(
        StoreException.Kind.DAMAGED,
        "the command notes "
            + file
            + " are damaged: "
            + seen
            + ". They were left as they are. Wait until no docker start or stop is under way, move"
            + " the file aside (mv "
            + file
            + " "
            + file
            + ".damaged) and start again");
  }

  @Override
  public List<Note> notes() {
    return List.copyOf(before);
  }

  @Override
  public void note(Note note) {
    lock.lock();
    try {
      slotFor(note).write(disk, new NoteBlock(sequence + 1, note));
      sequence++;
    } catch (IOException e) {
      throw new BackendException(
          "cannot note "
              + note.verb()
              + " of "
              + note.backend()
              + " in "
              + file
              + ": "
              + e.getMessage()
              + ". Nothing is sent to a container that cannot be noted; check the disk (dmesg)",
          e);
    } finally {
      lock.unlock();
    }
  }

  private NoteSlot slotFor(Note note) {
    return slots.stream()
        .filter(slot -> slot.belongsTo(note.backend(), note.verb()))
        .findFirst()
        .or(() -> slots.stream().filter(slot -> slot.newest().isEmpty()).findFirst())
        .or(this::oldestOfNobody)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "no slot is left in " + file + " for backend " + note.backend()));
  }

  /** The one longest untouched among those of backends that are no longer configured. */
  private Optional<NoteSlot> oldestOfNobody() {
    return slots.stream()
        .filter(slot -> slot.newest().isPresent())
        .filter(slot -> !configured.contains(slot.newest().get().note().backend()))
        .min(Comparator.comparingLong(slot -> slot.newest().get().sequence()));
  }

  @Override
  public void close() {
    lock.lock();
    try {
      disk.close();
    } catch (IOException e) {
      throw new BackendException("cannot close the command notes " + file + ": " + e, e);
    } finally {
      lock.unlock();
    }
  }
}
