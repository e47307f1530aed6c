package dev.swapgate.backends.settings;

import dev.swapgate.backends.recipe.RunToExit;
import dev.swapgate.backends.recipe.SubmitPollFetch;
import dev.swapgate.backends.recipe.SyncHttp;
import java.nio.file.Path;

/**
 * One media backend and how it is asked to do a job.
 *
 * @param apiKey sent as a bearer token; empty for none
 * @param maxFileBytes the largest single result that is saved
 */
public record MediaSettings(BackendSettings backend, Type type, String apiKey, long maxFileBytes) {

  /** The kinds of media server. */
  public sealed interface Type {
    Type COMFYUI = new ComfyUi();
    Type ACE_STEP = new AceStep();

    /** As the configuration calls it. */
    String word();

    /** ComfyUI. */
    record ComfyUi() implements Type {
      @Override
      public String word() {
        return "comfyui";
      }
    }

    /** ACE-Step 1.5. */
    record AceStep() implements Type {
      @Override
      public String word() {
        return "ace_step";
      }
    }

    /**
     * One that is described, and does a job within one call.
     *
     * @param spool the folder where answers lie until they are collected
     */
    record OneCall(SyncHttp recipe, Path spool) implements Type {
      @Override
      public String word() {
        return "sync_http";
      }
    }

    /**
     * A container that is itself the job, or in which a command does it.
     *
     * @param folder mounted into it; there it finds its request and leaves its results
     */
    record Exits(RunToExit recipe, Path folder) implements Type {

      /** Whether its container stays up between jobs. */
      public boolean isInside() {
        return recipe.isInside();
      }

      @Override
      public String word() {
        return "exec";
      }
    }

    /** One that is described, and is asked about a job until it is done. */
    record Steps(SubmitPollFetch recipe) implements Type {
      @Override
      public String word() {
        return "submit_poll_fetch";
      }
    }
  }

  @Override
  public String toString() {
    return "MediaSettings[backend=" + backend + ", type=" + type.word() + ", apiKey=***]";
  }
}
