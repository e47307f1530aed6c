package dev.swapgate.backends.settings;

/**
 * One media backend and how it is asked to do a job.
 *
 * @param apiKey sent as a bearer token; empty for none
 * @param maxFileBytes the largest single result that is saved
 */
public record MediaSettings(BackendSettings backend, Type type, String apiKey, long maxFileBytes) {

  /** The kinds of media server. */
  public enum Type {
    COMFYUI,
    ACE_STEP
  }

  @Override
  public String toString() {
    return "MediaSettings[backend=" + backend + ", type=" + type + ", apiKey=***]";
  }
}
