package dev.swapgate.proxy.jobs;

import dev.swapgate.gate.core.Job;
import dev.swapgate.proxy.http.HttpProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * Finds a job's published files. Names come from media servers, so only a name on the job's own
 * list is looked for, and what is found must be a plain file that truly lies in the job's folder.
 */
final class ResultFiles {
  private final Path resultsDir;

  ResultFiles(Path resultsDir) {
    this.resultsDir = resultsDir;
  }

  /**
   * @throws HttpProblem 404 when the job has no such file
   */
  Path find(Job job, String name) {
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

  private static HttpProblem missing(Job job, String name) {
    return new HttpProblem(
        404, "no_such_file", "job " + job.id() + " has no file named " + name + " (any more)");
  }
}
