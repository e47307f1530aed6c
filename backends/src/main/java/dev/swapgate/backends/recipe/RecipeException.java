package dev.swapgate.backends.recipe;

/** What stands in a recipe cannot be read. */
public final class RecipeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String seen;

  RecipeException(String seen) {
    super(seen);
    this.seen = seen;
  }

  /** What was seen and what is allowed. */
  public String seen() {
    return seen;
  }
}
