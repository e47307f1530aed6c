package dev.swapgate.proxy.chat;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The profiles, chosen by the path prefix {@code /as/<name>} and never by sniffing: one client is
 * another's library with retries switched off. A name is a profile, a profile with {@code +hold},
 * or a client. The figures are what each client was measured or read to do.
 */
public final class Profiles {

  private static final String PREFIX = "/as/";

  /** Below every time-out that was found. */
  private static final Duration SHORT_HOLD = Duration.ofSeconds(50);

  /** Below Node's fetch, measured at 300.9 s, and the 600 s of the Python libraries. */
  private static final Duration LONG_HOLD = Duration.ofSeconds(290);

  /** For a client that waits without limit and never retries. */
  private static final Duration WHOLE_SWAP = Duration.ofMinutes(15);

  /** 59 and not 60: two clients test strictly below 60. */
  private static final Profile SHORT = new Profile("short", 429, 59, Duration.ZERO);

  private static final Profile SHORT_120 = new Profile("short120", 429, 120, Duration.ZERO);
  private static final Profile UNAVAILABLE =
      new Profile("unavailable", 503, Integer.MAX_VALUE, Duration.ZERO);

  private static final Map<String, Profile> BY_NAME = byName();

  private Profiles() {}

  /**
   * A path taken apart.
   *
   * @param name by which the profile was asked for
   * @param rest the path as the engine sees it
   */
  record Chosen(String name, Profile profile, String rest) {}

  /** The profile a path asks for; empty for a name nobody knows. */
  static Optional<Chosen> choose(String path) {
    if (!path.startsWith(PREFIX)) {
      return Optional.of(new Chosen(Profile.HONEST.name(), Profile.HONEST, path));
    }
    int end = path.indexOf('/', PREFIX.length());
    String name = path.substring(PREFIX.length(), end < 0 ? path.length() : end);
    String rest = end < 0 ? "/" : path.substring(end);
    return Optional.ofNullable(BY_NAME.get(name)).map(profile -> new Chosen(name, profile, rest));
  }

  /** Every name that may follow {@code /as/}, and the profile it stands for. */
  public static Map<String, String> names() {
    Map<String, String> names = new LinkedHashMap<>();
    BY_NAME.forEach((name, profile) -> names.put(name, profile.name()));
    return names;
  }

  private static Map<String, Profile> byName() {
    Map<String, Profile> all = new LinkedHashMap<>();
    for (Profile profile : new Profile[] {Profile.HONEST, SHORT, SHORT_120, UNAVAILABLE}) {
      all.put(profile.name(), profile);
      all.put(profile.name() + "+hold", profile.holding(SHORT_HOLD));
    }
    all.put("hold", Profile.HONEST.holding(SHORT_HOLD));
    for (String client :
        new String[] {
          "hermes",
          "opencode",
          "zed",
          "roo-code",
          "openai-java",
          "spring-ai",
          "anthropic-js",
          "anthropic-java"
        }) {
      all.put(client, Profile.HONEST);
    }
    for (String client :
        new String[] {
          "openai-js",
          "vercel-ai",
          "cline",
          "continue",
          "langchain-js",
          "librechat",
          "anthropic-py",
          "litellm",
          "aider"
        }) {
      all.put(client, SHORT.holding(LONG_HOLD));
    }
    for (String client : new String[] {"openai-py", "langchain-py", "home-assistant"}) {
      all.put(client, SHORT_120.holding(LONG_HOLD));
    }
    all.put("open-webui", Profile.HONEST.holding(WHOLE_SWAP));
    all.put("ollama", Profile.HONEST.holding(LONG_HOLD));
    // It leaves after 60 s unless its time-out is raised, and for a time-out it tries again.
    all.put("langchain4j", Profile.HONEST.holding(WHOLE_SWAP));
    all.put("n8n", UNAVAILABLE.holding(LONG_HOLD));
    all.put("codex", UNAVAILABLE.holding(LONG_HOLD));
    all.put("spring-ai-1", UNAVAILABLE);
    return all;
  }
}
