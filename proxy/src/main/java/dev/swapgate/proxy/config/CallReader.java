package dev.swapgate.proxy.config;

import dev.swapgate.backends.recipe.BodyTemplate;
import dev.swapgate.backends.recipe.Call;
import dev.swapgate.backends.recipe.Inputs;
import dev.swapgate.backends.recipe.JsonPath;
import dev.swapgate.backends.recipe.RecipeException;
import dev.swapgate.backends.recipe.TextTemplate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Reads one request of a recipe: {@code method path headers send body upload}. */
final class CallReader {
  private static final List<String> METHODS = List.of("GET", "POST", "PUT", "PATCH", "DELETE");
  private static final TextTemplate ROOT = TextTemplate.parse("/");

  /** These follow from the request itself. */
  private static final Set<String> OURS =
      Set.of(
          "host",
          "connection",
          "content-length",
          "content-type",
          "expect",
          "transfer-encoding",
          "upgrade");

  private final Secrets secrets;

  CallReader(Secrets secrets) {
    this.secrets = secrets;
  }

  /** A request that hands a job in. */
  Call job(Section section, Inputs inputs) {
    Set<String> known = names(inputs);
    Optional<String> upload = section.text("upload");
    Call call = read(section, "POST", known, upload);
    if (upload.isPresent() && (upload.get().isBlank() || !call.hasBody())) {
      section.problem("upload", "needs a name, and a request with a body to put files into");
    }
    return call;
  }

  private static Set<String> names(Inputs inputs) {
    Set<String> known = new TreeSet<>(inputs.needs());
    known.addAll(inputs.defaults().keySet());
    known.add(Inputs.ALL);
    return known;
  }

  /** A request about a job that is under way. */
  Call step(Section section, String method, Set<String> known) {
    return read(section, method, known, Optional.empty());
  }

  private Call read(
      Section section, String standardMethod, Set<String> known, Optional<String> upload) {
    String method = section.text("method").orElse(standardMethod);
    if (!METHODS.contains(method)) {
      section.problem("method", "\"" + method + "\" is none of " + String.join(", ", METHODS));
    }
    Call.Encoding send = encoding(section);
    Optional<BodyTemplate> body = BodyReader.template(section, "body");
    body.ifPresent(read -> variables(section, "body", read.variables(), known));
    if (send == Call.Encoding.MULTIPART
        && body.isPresent()
        && !(body.get() instanceof BodyTemplate.Fields)) {
      section.problem("body", "must be a map of form fields, for send is multipart");
    }
    return new Call(method, neededPath(section, known), headers(section), send, body, upload);
  }

  private static Call.Encoding encoding(Section section) {
    String text = section.text("send").orElse("json");
    if (!text.equals("json") && !text.equals("multipart")) {
      section.problem("send", "\"" + text + "\" is not known; use json or multipart");
    }
    return text.equals("multipart") ? Call.Encoding.MULTIPART : Call.Encoding.JSON;
  }

  private Map<String, String> headers(Section section) {
    Section headers = section.sectionOrEmpty("headers");
    Map<String, String> read = ReadinessReader.headers(headers, secrets);
    for (String name : read.keySet()) {
      if (OURS.contains(name.toLowerCase(Locale.ROOT))) {
        headers.problem(name, "follows from the request itself; remove it");
      }
    }
    return read;
  }

  /** The path of a request, which must be there. */
  TextTemplate neededPath(Section section, Set<String> known) {
    if (!section.has("path")) {
      section.problem(
          section.line(), section.path("path"), "is missing; name the request's path, like /jobs");
    }
    return path(section, known).orElse(ROOT);
  }

  Optional<TextTemplate> path(Section section, Set<String> known) {
    Optional<TextTemplate> template = template(section, "path");
    if (template.isEmpty()) {
      return Optional.empty();
    }
    String shape = template.get().filled(name -> "x");
    if (!shape.startsWith("/") || shape.chars().anyMatch(c -> c <= ' ' || c == '#' || c > '~')) {
      section.problem("path", "is no path; write for example /jobs/{id}");
      return Optional.empty();
    }
    variables(section, "path", template.get().variables(), known);
    return template;
  }

  /** A text into which values go. */
  Optional<TextTemplate> text(Section section, String key, Inputs inputs) {
    Optional<TextTemplate> template = template(section, key);
    template.ifPresent(read -> variables(section, key, read.variables(), names(inputs)));
    return template;
  }

  /** Words with values in them. */
  List<TextTemplate> texts(Section section, String key, Inputs inputs) {
    List<TextTemplate> read = new ArrayList<>();
    for (String text : section.texts(key)) {
      try {
        TextTemplate template = TextTemplate.parse(text);
        variables(section, key, template.variables(), names(inputs));
        read.add(template);
      } catch (RecipeException unread) {
        section.problem(key, unread.seen());
      }
    }
    return read;
  }

  private static Optional<TextTemplate> template(Section section, String key) {
    Optional<String> text = section.raw(key);
    if (text.filter(Placeholders::isIn).isPresent()) {
      section.problem(key, BodyReader.NO_VARIABLES);
      return Optional.empty();
    }
    try {
      return text.map(TextTemplate::parse);
    } catch (RecipeException unread) {
      section.problem(key, unread.seen());
      return Optional.empty();
    }
  }

  /** Tells the values that nobody gives. */
  private static void variables(
      Section section, String key, Collection<String> named, Set<String> known) {
    for (String name : named) {
      if (!known.contains(name)) {
        section.problem(
            key,
            "names {%s}, which nothing gives; %s"
                .formatted(
                    name,
                    known.contains(Inputs.ALL)
                        ? "put it into needs or defaults (known: " + String.join(", ", known) + ")"
                        : known.isEmpty()
                            ? "no value is known here"
                            : "known here: " + String.join(", ", new TreeSet<>(known))));
      }
    }
  }

  Optional<JsonPath> jsonPath(Section section, String key) {
    Optional<String> text = section.text(key);
    try {
      return text.map(JsonPath::parse);
    } catch (RecipeException unread) {
      section.problem(key, unread.seen());
      return Optional.empty();
    }
  }
}
