package dev.swapgate.proxy.config;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the readers ask and what they miss, learned by letting them read files that have every
 * section. So the schema cannot say anything else than the readers do.
 */
final class SchemaSource {

  /** Names of engines and media backends in it are examples; those of media are their types. */
  static final String WHOLE =
      """
      admin: {}
      docker: {}
      card: {}
      retry_after: {}
      policy: {}
      limits: {}
      metrics: {}
      notify: {example: {url: "http://example:1", headers: &H}}
      fallback:
        profiles: {example: [degraded]}
        providers:
          example:
            url: http://example:2
            keys: &H
            models: {client: own}
            headers: &H
            timeouts: {}
            cooldowns: {}
      engines:
        example:
          container: example
          url: http://example:1
          readiness: {headers: {Text: a, File: {file: none}}}
          models: {client: own}
      media:
        comfyui: {type: comfyui, container: c1, url: "http://c1:1", readiness: {headers: &H}}
        ace_step: {type: ace_step, container: c2, url: "http://c2:1", readiness: {headers: &H}}
        sync_http:
          type: sync_http
          container: c3
          url: http://c3:1
          readiness: {headers: &H}
          defaults: {value: 1}
          call: {path: /, headers: &H}
          result: {}
          progress: {path: /, at: a}
          idle: {path: /, at: a, values: [b]}
          cancel: {path: /, headers: &H}
        submit_poll_fetch:
          type: submit_poll_fetch
          container: c4
          url: http://c4:1
          readiness: {headers: &H}
          defaults: {value: 1}
          submit: {path: /, id: a, headers: &H}
          poll: {path: /, state: a, done: [b], headers: &H}
          fetch: {path: /}
          idle: {path: /, at: a, values: [b]}
          cancel: {path: /, headers: &H}
        exec:
          type: exec
          container: c5
          work_dir: /w
          defaults: {value: 1}
          files: {name: text}
          inside: [text]
          url: http://c5:1
          readiness: {headers: &H}
      workflows: {example: {backend: comfyui, file: none, inputs: {value: a}}}
      """
          .replace("&H", "{Text: a, File: {file: none}}");

  /** Files that lack what is needed, one layer after the other. */
  private static final String[] BARE = {
    "state_dir: s",
    "fallback: {providers: {example: {keys: {File: {}}, headers: {File: {}}}}}",
    "engines: {example: {}}\nmedia: {any: {}}\nnotify: {example: {headers: {File: {}}}}\n"
        + "workflows: {example: {}}",
    """
    engines: {example: {readiness: {headers: {File: {}}}}}
    media:
      comfyui: {type: comfyui, readiness: {headers: {File: {}}}}
      ace_step: {type: ace_step, readiness: {headers: {File: {}}}}
      sync_http: {type: sync_http, readiness: {headers: {File: {}}}}
      submit_poll_fetch: {type: submit_poll_fetch, readiness: {headers: {File: {}}}}
      exec: {type: exec}
    """,
    """
    engines: {example: {}}
    media:
      sync_http:
        type: sync_http
        call: {headers: {File: {}}}
        progress: {}
        idle: {}
        cancel: {headers: {File: {}}}
      submit_poll_fetch:
        type: submit_poll_fetch
        submit: {headers: {File: {}}}
        poll: {headers: {File: {}}}
        fetch: {}
        idle: {}
        cancel: {headers: {File: {}}}
    """
  };

  private final Map<String, Question> questions = new LinkedHashMap<>();
  private final Set<String> needed = new TreeSet<>();

  SchemaSource() {
    read(WHOLE);
    for (String bare : BARE) {
      read(bare);
    }
  }

  private void read(String text) {
    try {
      new ConfigLoader(Map.of()).parse("schema", text, Path.of("/"), this::asked);
    } catch (ConfigException told) {
      told.problems().stream()
          .filter(problem -> problem.text().startsWith("is missing"))
          .forEach(problem -> needed.add(problem.path()));
    }
  }

  /** A number is asked for as a text first, and with its default before that: the most is kept. */
  private void asked(String path, Question question) {
    Question before = questions.get(path);
    boolean says =
        before == null || before instanceof Question.Text || before instanceof Question.Keys;
    if (says && !(question instanceof Question.Text && before != null)) {
      questions.put(path, question);
    }
  }

  Map<String, Question> questions() {
    return questions;
  }

  boolean isNeeded(String path) {
    return needed.contains(path);
  }
}
