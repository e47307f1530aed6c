package dev.swapgate.proxy.jobs;

import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.port.JobAdapter;
import dev.swapgate.proxy.http.HttpProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds a job's published files. Names come from media servers, so only a name on the job's own
 * list is looked for, and what is found must be a plain file that truly lies in the job's folder.
 */
public final class ResultFiles {
  private final Path resultsDir;

  public ResultFiles(Path resultsDir) {
    this.resultsDir = resultsDir;
  }

  /**
   * @throws HttpProblem 404 when the job has no such file
   */
  public Path find(Job job, String name) {
    if (!job.files().contains(name)) {
      throw missing(job, name);
    }
    Path folder = resultsDir.resolve(job.id().value());
    Path file = folder.resolve(name).normalize();
    try {
      boolean inside =
          file.startsWith(folder.normalize())
              && !Files.isSymbolicLink(folder)
              && file.toRealPath().startsWith(folder.toRealPath())
              && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
      if (!inside) {
        throw missing(job, name);
      }
    } catch (IOException gone) {
      throw missing(job, name);
    }
    return file;
  }

  /** The SHA-256 of each file, by name; those of a job that is done and whose files are here. */
  Map<String, String> sums(Job job) {
    Map<String, String> sums = new TreeMap<>();
    Path file = resultsDir.resolve(job.id().value()).resolve(JobAdapter.CHECKSUMS);
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return sums;
    }
    try {
      for (String line : Files.readAllLines(file)) {
        String[] parts = line.split("  ", 2);
        if (parts.length == 2 && job.files().contains(parts[1])) {
          sums.put(parts[1], parts[0]);
        }
      }
    } catch (IOException unread) {
      return Map.of();
    }
    return sums;
  }

  private static HttpProblem missing(Job job, String name) {
    return new HttpProblem(
        404, "no_such_file", "job " + job.id() + " has no file named " + name + " (any more)");
  }
}
