package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.swapgate.proxy.workflows.Graph;
import dev.swapgate.proxy.workflows.WorkflowException;
import dev.swapgate.proxy.workflows.WorkflowFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file of a job. Mistakes that show here are told before anything is sent. */
final class RequestFile {

  private RequestFile() {}

  /**
   * @param name a path, or {@code -} for standard input
   */
  static ObjectNode read(Terminal terminal, String name) {
    String where = name.equals("-") ? "standard input" : name;
    Path path = terminal.folder().resolve(name);
    try (InputStream in = name.equals("-") ? terminal.in() : Files.newInputStream(path)) {
      ObjectNode document = WorkflowFile.read(in);
      Graph.in(document);
      return document;
    } catch (WorkflowException e) {
      throw new CliException(ExitCode.REFUSED, where + " " + e.getMessage(), e);
    } catch (IOException e) {
      throw new CliException(
          ExitCode.REFUSED,
          Files.exists(path)
              ? "cannot read " + path + " (" + e.getClass().getSimpleName() + "); check its rights"
              : "there is no file " + path + "; check the path",
          e);
    }
  }

  /** True for a ComfyUI workflow, bare or in a wrapping that people paste it in. */
  static boolean isWorkflow(JsonNode node) {
    return node instanceof ObjectNode document && Graph.in(document).isPresent();
  }
}
