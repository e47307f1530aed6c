package dev.swapgate.gate.port;

import dev.swapgate.gate.core.Note;
import java.util.List;

/**
 * The last command to each container, noted before it is sent, and its end. Lives in a small
 * preallocated file that is overwritten in place, so that a full disk cannot fail it. A note that
 * returned is on the disk. Thread-safe.
 */
public interface CommandNotes extends AutoCloseable {

  /** What was noted before this process began: at most one note a backend and verb. */
  List<Note> notes();

  /**
   * Overwrites the note of that backend and verb.
   *
   * @throws BackendException when it cannot be written
   */
  void note(Note note);

  @Override
  void close();
}
