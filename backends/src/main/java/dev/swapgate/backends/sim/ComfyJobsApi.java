package dev.swapgate.backends.sim;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The newer {@code /api/jobs}; an old server has none of it. */
final class ComfyJobsApi {
  private final ComfyQueue queue;
  private final boolean old;

  ComfyJobsApi(ComfyQueue queue, boolean old) {
    this.queue = queue;
    this.old = old;
  }

  /** The rest is what follows {@code /api/jobs} in the path. */
  void handle(HttpExchange exchange, String rest) throws IOException {
    boolean post = exchange.request().method().equals("POST");
    if (old) {
      exchange.text(404, "404: Not Found");
    } else if (rest.isEmpty()) {
      list(exchange);
    } else if (post && rest.equals("/cancel")) {
      List<?> ids =
          Json.asList(Json.asObject(Json.parse(exchange.request().bodyText())).get("job_ids"));
      boolean any = false;
      for (Object id : ids) {
        any |= cancel(String.valueOf(id));
      }
      exchange.json(200, Json.object("cancelled", any));
    } else if (post && rest.endsWith("/cancel")) {
      String id = rest.substring(1, rest.length() - "/cancel".length());
      exchange.json(200, Json.object("cancelled", cancel(id)));
    } else {
      one(exchange, rest.substring(1));
    }
  }

  private boolean cancel(String id) {
    return queue.deletePending(id) || queue.interrupt(id);
  }

  private void list(HttpExchange exchange) throws IOException {
    List<?> jobs = queue.all().stream().map(ComfyPrompt::jobEntry).toList();
    exchange.json(
        200,
        Json.object(
            "jobs",
            jobs,
            "pagination",
            Json.object("offset", 0, "limit", null, "total", jobs.size(), "has_more", false)));
  }

  private void one(HttpExchange exchange, String id) throws IOException {
    Optional<ComfyPrompt> job =
        queue.all().stream().filter(prompt -> prompt.id.equals(id)).findFirst();
    if (job.isPresent()) {
      exchange.json(200, job.get().jobEntry());
    } else {
      exchange.json(404, Json.object("error", "Job not found"));
    }
  }
}
