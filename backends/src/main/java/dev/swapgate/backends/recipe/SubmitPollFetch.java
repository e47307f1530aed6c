package dev.swapgate.backends.recipe;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A server that takes a job, is asked about it, and gives its files out at the end. */
public record SubmitPollFetch(
    Inputs inputs,
    Submit submit,
    Poll poll,
    Fetch fetch,
    Optional<Call> cancel,
    Optional<Idle> idle) {

  /** The job's id in templates. */
  public static final String ID = "id";

  /** One result, as the answer names it, in the path by which it is fetched. */
  public static final String ITEM = "item";

  /**
   * Hands a job in.
   *
   * @param id where the answer tells the job's id
   * @param error where an answer of status 200 tells that the job was refused
   */
  public record Submit(Call call, JsonPath id, Optional<JsonPath> error) {}

  /** What a job may be doing. */
  public enum State {
    QUEUED,
    RUNNING,
    DONE,
    FAILED,
    CANCELLED
  }

  /**
   * Asks about a job.
   *
   * @param states what stands at {@code state}, and what it means
   * @param error where a failed job tells why
   * @param unknown statuses that say that the server does not know the job
   */
  public record Poll(
      Call call,
      JsonPath state,
      Map<String, State> states,
      Optional<Progress> progress,
      Optional<JsonPath> error,
      Set<Integer> unknown) {
    public Poll {
      states = Map.copyOf(states);
      unknown = Set.copyOf(unknown);
    }
  }

  /**
   * Gets the files.
   *
   * @param at where the last answer to the poll names them; empty: there is one, at {@code path}
   * @param path by which a file is asked for; empty: what stands at {@code at} is its path or URL
   * @param name what files are called, without extension; empty: as the server calls them
   * @param contentType how that of a good answer begins; empty: any
   */
  public record Fetch(
      Optional<JsonPath> at, Optional<TextTemplate> path, String name, String contentType) {}
}
