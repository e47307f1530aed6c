package dev.swapgate.gate.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.swapgate.gate.port.JobStore.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConfig;

class MigrationsTest {
  private static final List<String> TABLE = List.of("CREATE TABLE old (a TEXT)");
  private static final List<String> COLUMN =
      List.of("ALTER TABLE old ADD COLUMN b TEXT", "UPDATE old SET b = 'new'");
  private static final List<String> BROKEN =
      List.of("ALTER TABLE old ADD COLUMN c TEXT", "INSERT INTO nowhere VALUES (1)");

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void writeAnOldFile() {
    file = folder.resolve("jobs.db");
    try (Database old = Database.open(file, new Migrations(List.of(TABLE)))) {
      old.write("fill", db -> Sql.update(db, "INSERT INTO old VALUES ('kept')"));
    }
  }

  @Test
  void bringsAnOldFileToTheNewShapeAndKeepsACopyOfTheOld() throws IOException {
    try (Database now = Database.open(file, new Migrations(List.of(TABLE, COLUMN)))) {
      assertThat(text(now, "SELECT a || ' ' || b FROM old")).isEqualTo("kept new");
      assertThat(text(now, "PRAGMA user_version")).isEqualTo("2");
    }

    Path copy = folder.resolve("jobs.db.before-v2");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)))
        .isEqualTo("rw-------");
    try (Database old = Database.open(copy, new Migrations(List.of(TABLE)))) {
      assertThat(text(old, "SELECT a FROM old")).isEqualTo("kept");
      assertThat(text(old, "PRAGMA user_version")).isEqualTo("1");
    }
    assertThat(folder.resolve("jobs.db.before-v2.part")).doesNotExist();
  }

  @Test
  void copiesNothingWhenThereIsNothingToChange() {
    Database.open(file, new Migrations(List.of(TABLE))).close();

    assertThat(folder.toFile().list()).containsExactly("jobs.db");
  }

  @Test
  void undoesAStepThatFails() {
    assertThatThrownBy(() -> Database.open(file, new Migrations(List.of(TABLE, BROKEN))))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("nowhere");

    try (Database old = Database.open(file, new Migrations(List.of(TABLE)))) {
      assertThat(text(old, "SELECT group_concat(name) FROM pragma_table_info('old')"))
          .isEqualTo("a");
    }
  }

  @Test
  void refusesAFileThatANewerSwapgateWrote() {
    Database.open(file, new Migrations(List.of(TABLE, COLUMN))).close();

    assertThatThrownBy(() -> Database.open(file, new Migrations(List.of(TABLE))))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.TOO_NEW))
        .hasMessageContaining(file.toString())
        .hasMessageContaining("version 2");
  }

  @Test
  void refusesAnotherProgramsDatabaseAndLeavesItAlone() throws Exception {
    Path other = folder.resolve("other.db");
    try (var connection = new SQLiteConfig().createConnection("jdbc:sqlite:" + other)) {
      Sql.update(connection, "CREATE TABLE theirs (x TEXT)");
    }
    byte[] before = Files.readAllBytes(other);

    assertThatThrownBy(() -> Database.open(other, Migrations.released()))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("not swapgate's");
    assertThat(Files.readAllBytes(other)).isEqualTo(before);
  }

  private static String text(Database database, String sql) {
    return database.read("ask", db -> Sql.row(db, row -> row.getString(1), sql).orElseThrow());
  }
}
