package dev.swapgate.gate.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.CommandEnd;
import dev.swapgate.gate.core.ContainerSighting;
import dev.swapgate.gate.core.Note;
import dev.swapgate.gate.core.Note.Verb;
import dev.swapgate.gate.port.BackendException;
import dev.swapgate.gate.port.JobStore.StoreException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NotesFileTest {
  private static final Instant NOON = Instant.parse("2026-11-30T12:00:00.123456789Z");
  private static final Backend.Id VLLM = new Backend.Id("vllm");
  private static final Backend.Id COMFYUI = new Backend.Id("comfyui");
  private static final Optional<ContainerSighting.Run> RUN =
      Optional.of(new ContainerSighting.Run("f".repeat(64), NOON.minusSeconds(9)));

  @TempDir Path folder;

  private Path file() {
    return folder.resolve("state").resolve("commands.notes");
  }

  private NotesFile open() {
    return NotesFile.open(file(), List.of(VLLM, COMFYUI));
  }

  private List<Note> found() {
    try (NotesFile notes = open()) {
      return notes.notes();
    }
  }

  private static Note stop(long attempt, Optional<CommandEnd> end) {
    return new Note(VLLM, Verb.STOP, attempt, RUN, NOON, end);
  }

  @Test
  void findsWhatTheProcessBeforeItNoted() {
    Note underWay = stop(1, Optional.empty());
    Note done = new Note(VLLM, Verb.START, 2, Optional.empty(), NOON, end(new CommandEnd.Done()));
    Note failed =
        new Note(COMFYUI, Verb.KILL, 3, RUN, NOON, end(new CommandEnd.Failed("a\u0000é")));
    Note unknown = new Note(COMFYUI, Verb.STOP, 4, RUN, NOON, end(new CommandEnd.Unknown("304")));
    try (NotesFile notes = open()) {
      List.of(underWay, done, failed, unknown).forEach(notes::note);
      assertThat(notes.notes()).as("of before this process").isEmpty();
    }

    assertThat(found()).containsExactlyInAnyOrder(underWay, done, failed, unknown);
  }

  private static Optional<CommandEnd> end(CommandEnd end) {
    return Optional.of(end);
  }

  @Test
  void keepsTheLastNoteOfEachBackendAndVerb() {
    try (NotesFile notes = open()) {
      for (int attempt = 1; attempt <= 5; attempt++) {
        notes.note(stop(attempt, Optional.empty()));
        notes.note(stop(attempt, end(new CommandEnd.Done())));
      }
    }

    assertThat(found()).containsExactly(stop(5, end(new CommandEnd.Done())));
  }

  @Test
  void neverGrowsAndTouchesOnlyItsOwnSlot() throws IOException {
    try (NotesFile notes = open()) {
      notes.note(stop(1, Optional.empty()));
      byte[] before = Files.readAllBytes(file());
      for (int attempt = 2; attempt < 50; attempt++) {
        notes.note(
            new Note(COMFYUI, Verb.STOP, attempt, RUN, NOON, end(new CommandEnd.Unknown("why"))));
      }

      byte[] after = Files.readAllBytes(file());
      assertThat(after).hasSize((int) NotesFile.SIZE);
      List<Integer> changed =
          IntStream.range(0, after.length / NoteBlock.SIZE)
              .filter(block -> !Arrays.equals(block(before, block), block(after, block)))
              .boxed()
              .toList();
      assertThat(changed).as("blocks that changed").containsExactly(2, 3);
    }
  }

  private static byte[] block(byte[] bytes, int index) {
    return Arrays.copyOfRange(bytes, index * NoteBlock.SIZE, (index + 1) * NoteBlock.SIZE);
  }

  @Test
  void fallsBackToTheNoteBeforeATornOne() throws IOException {
    try (NotesFile notes = open()) {
      notes.note(stop(1, Optional.empty()));
      notes.note(stop(2, Optional.empty()));
    }
    tear(1);
    assertThat(found()).containsExactly(stop(1, Optional.empty()));

    try (NotesFile notes = open()) {
      notes.note(stop(3, Optional.empty()));
    }
    assertThat(found()).containsExactly(stop(3, Optional.empty()));
    tear(1);
    assertThat(found())
        .as("the torn block was the one written over, not the good one")
        .containsExactly(stop(1, Optional.empty()));
  }

  @Test
  void takesATornFirstNoteForNone() throws IOException {
    try (NotesFile notes = open()) {
      notes.note(stop(1, Optional.empty()));
    }
    tear(0);

    assertThat(found()).isEmpty();
  }

  @Test
  void survivesATearAtEveryByte() throws IOException {
    try (NotesFile notes = open()) {
      notes.note(stop(1, Optional.empty()));
      notes.note(stop(2, end(new CommandEnd.Failed("a reason"))));
    }
    byte[] whole = block(Files.readAllBytes(file()), 1);
    byte[] older = block(Files.readAllBytes(file()), 0);

    for (int written = 0; written < 160; written++) {
      byte[] torn = older.clone();
      System.arraycopy(whole, 0, torn, 0, written);
      Optional<Note> read = NoteBlock.read(torn).map(NoteBlock::note);
      assertThat(read)
          .as("%d bytes written", written)
          .satisfiesAnyOf(
              note -> assertThat(note).isEmpty(),
              note -> assertThat(note).contains(stop(1, Optional.empty())),
              note -> assertThat(note).contains(stop(2, end(new CommandEnd.Failed("a reason")))));
    }
  }

  @Test
  void refusesAFileWhoseCopiesAreBothUnreadableAndLeavesIt() throws IOException {
    try (NotesFile notes = open()) {
      notes.note(stop(1, Optional.empty()));
      notes.note(stop(2, Optional.empty()));
    }
    tear(0);
    tear(1);
    byte[] before = Files.readAllBytes(file());

    assertThatThrownBy(this::open)
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.DAMAGED))
        .hasMessageContaining(file().toString())
        .hasMessageContaining("aside");
    assertThat(Files.readAllBytes(file())).isEqualTo(before);
  }

  @Test
  void refusesAFileOfAnotherSize() throws IOException {
    open().close();
    try (RandomAccessFile disk = new RandomAccessFile(file().toFile(), "rw")) {
      disk.setLength(NotesFile.SIZE - 1);
    }

    assertThatThrownBy(this::open)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(String.valueOf(NotesFile.SIZE));
  }

  private void tear(int block) throws IOException {
    try (RandomAccessFile disk = new RandomAccessFile(file().toFile(), "rw")) {
      disk.seek((long) block * NoteBlock.SIZE + 30);
      disk.write(new byte[] {1, 2, 3, 4});
    }
  }

  @Test
  void cutsAReasonThatDoesNotFit() {
    String long3 = "€".repeat(5000);
    try (NotesFile notes = open()) {
      notes.note(stop(1, end(new CommandEnd.Failed(long3))));
    }

    assertThat(found())
        .singleElement()
        .satisfies(
            note -> {
              CommandEnd.Failed failed = (CommandEnd.Failed) note.end().orElseThrow();
              assertThat(failed.reason())
                  .hasSize(NoteBlock.REASON_KEPT)
                  .startsWith("€€€")
                  .endsWith("…");
            });
  }

  @Test
  void refusesMoreBackendsThanItHasRoomFor() {
    List<Backend.Id> many = IntStream.range(0, 22).mapToObj(i -> new Backend.Id("b" + i)).toList();

    assertThatThrownBy(() -> NotesFile.open(file(), many))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("22 backends")
        .hasMessageContaining("21");
    assertThat(file()).doesNotExist();
    NotesFile.open(file(), many.subList(0, 21)).close();
  }

  @Test
  void givesAwaySlotsOfBackendsThatAreNoLongerConfigured() {
    List<Note> expected = new ArrayList<>();
    for (String generation : List.of("old", "new")) {
      List<Backend.Id> backends =
          IntStream.range(0, 21).mapToObj(i -> new Backend.Id(generation + i)).toList();
      expected.clear();
      try (NotesFile notes = NotesFile.open(file(), backends)) {
        for (Backend.Id backend : backends) {
          for (Verb verb : Verb.values()) {
            Note note = new Note(backend, verb, 1, RUN, NOON, Optional.empty());
            notes.note(note);
            expected.add(note);
          }
        }
      }
    }

    assertThat(found()).containsAll(expected).hasSize(NotesFile.SLOTS);
  }

  @Test
  void tellsOfASecondSwapgate() {
    try (NotesFile notes = open()) {
      assertThatThrownBy(this::open)
          .isInstanceOfSatisfying(
              StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.IN_USE))
          .hasMessageContaining("second swapgate");
      notes.note(stop(1, Optional.empty()));
    }
  }

  @Test
  void stillWritesWhenItsThreadIsInterrupted() {
    try (NotesFile notes = open()) {
      Thread.currentThread().interrupt();
      notes.note(stop(1, Optional.empty()));
      assertThat(Thread.interrupted()).as("the interrupt is kept for its owner").isTrue();
      notes.note(stop(2, Optional.empty()));
    }

    assertThat(found()).containsExactly(stop(2, Optional.empty()));
  }

  @Test
  void saysWhatCouldNotBeNoted() {
    NotesFile notes = open();
    notes.close();
    notes.close();

    assertThatThrownBy(() -> notes.note(stop(1, Optional.empty())))
        .isInstanceOf(BackendException.class)
        .hasMessageContaining("STOP of vllm")
        .hasMessageContaining(file().toString());
  }

  @Test
  void letsNobodyElseReadIt() throws IOException {
    open().close();

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
    assertThat(folder.resolve("state").toFile().list()).containsExactly("commands.notes");
  }
}
