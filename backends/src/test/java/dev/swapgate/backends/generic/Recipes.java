package dev.swapgate.backends.generic;

import dev.swapgate.backends.recipe.BodyTemplate;
import dev.swapgate.backends.recipe.Call;
import dev.swapgate.backends.recipe.Inputs;
import dev.swapgate.backends.recipe.JsonPath;
import dev.swapgate.backends.recipe.SyncHttp;
import dev.swapgate.backends.recipe.TextTemplate;
import dev.swapgate.backends.settings.BackendSettings;
import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.backends.settings.ReadinessSettings;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobAnswer;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.port.JobAdapter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the tests of described servers begin with. */
final class Recipes {
  static final Inputs ANYTHING = new Inputs(Set.of(), Map.of());
  static final Job.Id JOB = new Job.Id("j1");

  private Recipes() {}

  static Call post(String path) {
    return call("POST", path, Optional.empty());
  }

  static Call call(String method, String path, Optional<BodyTemplate> body) {
    return new Call(
        method, TextTemplate.parse(path), Map.of(), Call.Encoding.JSON, body, Optional.empty());
  }

  static Call form(String path, String upload) {
    return new Call(
        "POST",
        TextTemplate.parse(path),
        Map.of(),
        Call.Encoding.MULTIPART,
        Optional.empty(),
        Optional.of(upload));
  }

  static BodyTemplate text(String template) {
    return new BodyTemplate.Text(TextTemplate.parse(template));
  }

  static SyncHttp.Result body(String contentType) {
    return new SyncHttp.Result(Optional.empty(), "speech", "", contentType);
  }

  static SyncHttp.Result base64(String path) {
    return new SyncHttp.Result(Optional.of(JsonPath.parse(path)), "picture", "png", "");
  }

  static MediaSettings settings(int port, MediaSettings.Type type, long maxFileBytes) {
    ReadinessSettings readiness =
        new ReadinessSettings("/", Set.of(200), "", Map.of(), Duration.ofSeconds(5));
    URI url = URI.create("http://127.0.0.1:" + port);
    return new MediaSettings(
        new BackendSettings(new Backend.Id("media"), "media", url, readiness),
        type,
        "s3cret",
        maxFileBytes);
  }

  static SyncHttpAdapter adapter(int port, SyncHttp recipe, Path spool, long maxFileBytes) {
    MediaSettings.Type.OneCall type = new MediaSettings.Type.OneCall(recipe, spool);
    return new SyncHttpAdapter(settings(port, type, maxFileBytes), type);
  }

  static JobRequest request(String json) {
    return new JobRequest(json, Map.of(), List.of());
  }

  /** Asks until the job has an end. */
  static JobAnswer end(JobAdapter adapter, Job.Ticket ticket) {
    JobAnswer answer = adapter.follow(ticket);
    while (answer instanceof JobAnswer.Working) {
      Thread.onSpinWait();
      answer = adapter.follow(ticket);
    }
    return answer;
  }
}
