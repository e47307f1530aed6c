package dev.swapgate.proxy.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What the tools of an agent do. Calls may come from several threads at once.
 *
 * <p>Whatever cannot be done is a {@link WorkbenchException}, whose words the agent reads.
 */
public interface Workbench {

  /** The named workflows of the box, as it stands now. */
  List<Offer> offers();

  /**
   * Has it made, and returns when the files are there and chat is open again.
   *
   * @param values by the names of inputs
   * @param progress told one line each time that something changed
   */
  Made make(String workflow, Map<String, String> values, Consumer<String> progress);

  /** How a job stands; with its files, saved here, once it is done. */
  Made status(String job);

  /** How the box stands, as JSON. */
  String gpu();

  /**
   * A named workflow.
   *
   * @param makes {@code image music other}
   */
  record Offer(String name, String makes, List<Input> inputs) {
    public Offer {
      inputs = List.copyOf(inputs);
    }
  }

  /**
   * One value that may be given.
   *
   * @param kind {@code text number flag file}
   * @param standard what applies without it
   */
  record Input(String name, String kind, JsonNode standard) {}

  /**
   * What became of a job.
   *
   * @param text for the agent
   * @param files where they were saved
   */
  record Made(String text, List<Path> files) {
    public Made {
      files = List.copyOf(files);
    }
  }
}
