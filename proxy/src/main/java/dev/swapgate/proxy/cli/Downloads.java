package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Saves a job's files. Never overwrites: a taken name gets a number. What comes is compared with
 * its checksum, where swapgate tells one.
 */
final class Downloads {

  private static final int MOST_NUMBERS = 100_000;

  private final AdminClient admin;

  Downloads(AdminClient admin) {
    this.admin = admin;
  }

  /** Saves all files of a job into a folder, which is made; gives their paths in order. */
  List<Path> save(JsonNode job, Path folder) {
    String id = Json.text(job, "id");
    List<Path> saved = new ArrayList<>();
    try {
      Files.createDirectories(folder);
      for (String name : Json.names(job, "files")) {
        saved.add(save(id, name, job.path("sha256").path(name).asText(""), folder));
      }
    } catch (IOException e) {
      throw new CliException(
          ExitCode.REFUSED,
          "cannot write to "
              + folder
              + " ("
              + e
              + "); the files stay with swapgate: swapgate fetch "
              + id
              + " --out DIR",
          e);
    }
    return saved;
  }

  private Path save(String id, String name, String sum, Path folder) throws IOException {
    String path = "jobs/" + AdminClient.part(id) + "/files/" + AdminClient.part(name);
    Path target = reserve(folder, plain(name));
    boolean whole = false;
    try (InputStream body = admin.open(path);
        var out = new DigestOutputStream(Files.newOutputStream(target), sha256())) {
      body.transferTo(out);
      String came = HexFormat.of().formatHex(out.getMessageDigest().digest());
      if (!sum.isEmpty() && !came.equals(sum)) {
        throw new CliException(
            ExitCode.REFUSED,
            "%s of job %s came with SHA-256 %s, and swapgate saved it with %s; fetch it again"
                .formatted(name, id, came, sum));
      }
      whole = true;
    } finally {
      if (!whole) {
        Files.deleteIfExists(target);
      }
    }
    return target;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException never) {
      throw new IllegalStateException("every Java has SHA-256", never);
    }
  }

  /** Creates the file under the first free name: a look before would race with others. */
  private static Path reserve(Path folder, String name) throws IOException {
    int dot = name.lastIndexOf('.');
    String stem = dot > 0 ? name.substring(0, dot) : name;
    String ending = dot > 0 ? name.substring(dot) : "";
    for (int n = 0; n < MOST_NUMBERS; n++) {
      try {
        return Files.createFile(folder.resolve(n == 0 ? name : stem + "-" + n + ending));
      } catch (FileAlreadyExistsException taken) {
        // The next number, then.
      }
    }
    throw new IOException(MOST_NUMBERS + " files named like " + name + " are there already");
  }

  /** The name without anything that leads out of the folder. */
  private static String plain(String name) {
    String last = name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
    String harmless = last.replaceAll("\\p{Cntrl}", "_");
    return harmless.isBlank() || harmless.startsWith(".") ? "file" + harmless : harmless;
  }
}
