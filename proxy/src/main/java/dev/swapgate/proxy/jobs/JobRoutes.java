package dev.swapgate.proxy.jobs;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.port.JobAdapter;
import dev.swapgate.gate.port.JobStore;
import dev.swapgate.gate.runtime.Gate;
import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.proxy.http.AnswerHandler;
import dev.swapgate.proxy.http.AnswerHandler.Answerer;
import dev.swapgate.proxy.http.Ask;
import dev.swapgate.proxy.workflows.Workflows;
import io.undertow.server.HttpHandler;
import io.undertow.server.RoutingHandler;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The part of the admin API that is about jobs. */
public final class JobRoutes {

  /** Bytes of a job's JSON: a large workflow has some 200 kB. */
  private static final int MAX_JOB = 4 << 20;

  private final JobDesk desk;
  private final Supplier<Workflows> workflows;
  private final Uploads uploads;
  private final Executor executor;

  /**
   * @param adapters those of the media backends
   * @param durations how a length of time is read
   * @param workflows those that have a name, as they are now
   * @param uploads a folder for files that go along with jobs
   * @param executor runs what may block
   */
  public JobRoutes(
      Gate gate,
      JobStore store,
      Map<Backend.Id, JobAdapter> adapters,
      Supplier<Workflows> workflows,
      Function<String, Optional<Duration>> durations,
      Path results,
      Path uploads,
      SteadyClock clock,
      Executor executor) {
    this.desk =
        new JobDesk(
            gate,
            store,
            new AdapterCheck(new TreeMap<>(adapters)),
            new DueTime(durations, ZoneId.systemDefault()),
            new ResultFiles(results),
            workflows,
            clock);
    this.workflows = workflows;
    this.uploads = new Uploads(uploads);
    this.executor = executor;
  }

  /** Adds {@code jobs…} and {@code workflows} under this prefix. */
  public void addTo(RoutingHandler routes, String prefix) {
    HttpHandler json = json(desk::submit);
    HttpHandler withFiles = new UploadHandler(uploads, desk, MAX_JOB);
    routes.post(
        prefix + "/jobs",
        exchange ->
            (Ask.hasType(exchange, "multipart/form-data") ? withFiles : json)
                .handleRequest(exchange));
    routes.get(prefix + "/workflows", json(ask -> WorkflowJson.answer(workflows.get())));
    routes.get(prefix + "/jobs", json(desk::list));
    routes.get(prefix + "/jobs/{id}", json(desk::show));
    routes.delete(prefix + "/jobs/{id}", json(desk::cancel));
    routes.get(prefix + "/jobs/{id}/log", json(desk::log));
    routes.get(prefix + "/jobs/{id}/files/{name}", json(desk::file));
  }

  private HttpHandler json(Answerer answerer) {
    return new AnswerHandler(executor, MAX_JOB, answerer);
  }

  private record AdapterCheck(Map<Backend.Id, JobAdapter> adapters) implements JobDesk.JobCheck {
    @Override
    public boolean isMedia(Backend.Id backend) {
      return adapters.containsKey(backend);
    }

    @Override
    public String names() {
      return adapters.keySet().stream().map(Backend.Id::value).collect(Collectors.joining(", "));
    }

    @Override
    public Optional<String> refusal(Backend.Id backend, JobRequest request) {
      JobAdapter adapter = adapters.get(backend);
      return adapter == null ? Optional.empty() : adapter.refusal(request);
    }

    @Override
    public Map<String, String> reseeded(Backend.Id backend, JobRequest request, long seed) {
      JobAdapter adapter = adapters.get(backend);
      return adapter == null ? Map.of() : adapter.reseeded(request, seed);
    }

    @Override
    public boolean remembersAnswers(Backend.Id backend) {
      JobAdapter adapter = adapters.get(backend);
      return adapter != null && adapter.remembersAnswers();
    }
  }
}
