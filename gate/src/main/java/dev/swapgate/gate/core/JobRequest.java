package dev.swapgate.gate.core;

import java.util.List;
import java.util.Map;

/**
 * What was asked of a media backend, as it was accepted; kept on disk until retention ends.
 *
 * @param json the workflow or request, as JSON text
 * @param set values put into it, by the adapter's own addressing ({@code 6.text} for ComfyUI)
 * @param attachments files that go along
 */
public record JobRequest(String json, Map<String, String> set, List<Attachment> attachments) {
  public JobRequest {
    set = Map.copyOf(set);
    attachments = List.copyOf(attachments);
  }

  /**
   * One file that goes along with a request.
   *
   * @param name the name the request uses for it
   * @param path where it lies on our disk
   */
  public record Attachment(String name, String path) {}
}
