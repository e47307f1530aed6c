package dev.swapgate.gate.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.CommandEnd;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.Note;
import dev.swapgate.gate.port.JobStore.StoreException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a real disk of 2 MiB (a tmpfs; needs the right to mount one) that is really full. */
class FullDiskIT {
  private static final Backend.Id VLLM = new Backend.Id("vllm");

  @TempDir Path folder;
  private boolean mounted;

  @BeforeEach
  void mount() throws Exception {
    mounted = ran("mount", "-t", "tmpfs", "-o", "size=2m,mode=0700", "tmpfs", folder.toString());
    assumeTrue(mounted, "a tmpfs cannot be mounted here");
  }

  @AfterEach
  void unmount() throws Exception {
    if (mounted) {
      assertThat(ran("umount", folder.toString())).as("unmounted").isTrue();
    }
  }

  private static boolean ran(String... command) throws IOException, InterruptedException {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException absent) {
      return false;
    }
    process.getInputStream().readAllBytes();
    return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
  }

  private Path fill() throws IOException {
    Path filler = folder.resolve("filler");
    assertThatThrownBy(
            () -> {
              try (OutputStream out = Files.newOutputStream(filler)) {
                for (int i = 0; i < 4096; i++) {
                  out.write(new byte[1024]);
                }
              }
            })
        .as("the disk is full")
        .isInstanceOf(IOException.class);
    return filler;
  }

  @Test
  void notesCommandsOnAFullDisk() throws IOException {
    Path file = folder.resolve("commands.notes");
    Note note =
        new Note(
            VLLM,
            Note.Verb.STOP,
            7,
            Optional.empty(),
            JobStoreContract.NOON,
            Optional.of(new CommandEnd.Done()));
    try (NotesFile notes = NotesFile.open(file, List.of(VLLM))) {
      fill();
      notes.note(note);
    }

    try (NotesFile notes = NotesFile.open(file, List.of(VLLM))) {
      assertThat(notes.notes()).containsExactly(note);
    }
  }

  @Test
  void refusesJobsOnAFullDiskAndTakesThemWhenThereIsRoom() throws IOException {
    Path file = folder.resolve("jobs.db");
    try (SqliteJobStore store = SqliteJobStore.open(file)) {
      Job before = store.insert(JobStoreContract.queued("before"), JobStoreContract.REQUEST, "");
      Path filler = fill();

      assertThatThrownBy(
              () -> store.insert(JobStoreContract.queued("new"), JobStoreContract.LARGE, ""))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("full");
      assertThat(store.open()).containsExactly(before);

      Files.delete(filler);
      store.insert(JobStoreContract.queued("new"), JobStoreContract.LARGE, "");
    }

    try (SqliteJobStore store = SqliteJobStore.open(file)) {
      assertThat(store.open()).hasSize(2);
    }
  }
}
