package dev.swapgate.proxy.mcp;

import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** The tools. What goes wrong is an answer that says so: an agent reads it and goes on. */
final class AgentTools {

  /** Of a picture that is shown to the agent itself, before base64. */
  private static final long SHOWN_BYTES = 1 << 20;

  private static final int MOST_SHOWN = 4;

  private static final String WAITS =
      " Returns when the files are saved and the chat model is back on the GPU, which can take"
          + " minutes. If the call times out, the job goes on: ask job_status, or call again with"
          + " the same values to go on waiting.";

  private final Workbench workbench;
  private List<Workbench.Offer> offers;

  AgentTools(Workbench workbench) {
    this.workbench = workbench;
    this.offers = workbench.offers();
  }

  /** True when other workflows are offered now; false also when nobody answers. */
  boolean lookAgain() {
    try {
      List<Workbench.Offer> now = workbench.offers();
      boolean changed = !now.equals(offers);
      offers = now;
      return changed;
    } catch (WorkbenchException unreachable) {
      return false; // A swapgate that is started anew has them again in a moment.
    }
  }

  List<SyncToolSpecification> all() {
    List<SyncToolSpecification> tools = new ArrayList<>();
    maker("make_image", "image", "Make a picture with the GPU of this box." + WAITS, tools);
    maker("make_music", "music", "Make music with the GPU of this box." + WAITS, tools);
    tools.add(
        tool(
            "job_status",
            "How a job stands; its files are saved and their paths told once it is done.",
            Map.of(
                "type",
                "object",
                "properties",
                Map.of("job", Map.of("type", "string", "description", "The job's id")),
                "required",
                List.of("job")),
            (exchange, request) -> made(workbench.status(text(request, "job")))));
    tools.add(
        tool(
            "gpu_status",
            "Who has the GPU, whether chat is open, and what waits in the queue.",
            Map.of("type", "object", "properties", Map.of()),
            (exchange, request) -> answer(workbench.gpu())));
    return tools;
  }

  private void maker(
      String name, String makes, String description, List<SyncToolSpecification> tools) {
    List<Workbench.Offer> fit =
        offers.stream().filter(offer -> offer.makes().equals(makes)).toList();
    if (!fit.isEmpty()) {
      tools.add(
          tool(
              name,
              description,
              ToolSchema.of(fit),
              (exchange, request) -> make(exchange, request, fit)));
    }
  }

  private CallToolResult make(
      McpSyncServerExchange exchange, CallToolRequest request, List<Workbench.Offer> fit) {
    Map<String, String> values = new HashMap<>();
    arguments(request).forEach((name, value) -> values.put(name, plain(value)));
    String workflow =
        Optional.ofNullable(values.remove(ToolSchema.WORKFLOW)).orElse(fit.getFirst().name());
    if (fit.stream().noneMatch(offer -> offer.name().equals(workflow))) {
      throw new WorkbenchException(
          "no workflow is named "
              + workflow
              + "; there are: "
              + String.join(", ", fit.stream().map(Workbench.Offer::name).toList()));
    }
    return made(workbench.make(workflow, values, progress(exchange, request)));
  }

  /** A seed comes as a JSON number, which must not turn into 7.0. */
  private static String plain(Object value) {
    return value instanceof Double number && number == Math.rint(number)
        ? Long.toString(number.longValue())
        : String.valueOf(value);
  }

  private static Map<String, Object> arguments(CallToolRequest request) {
    Map<String, Object> arguments = request.arguments();
    return arguments == null ? Map.of() : arguments;
  }

  private static String text(CallToolRequest request, String name) {
    Object value = arguments(request).get(name);
    if (value == null) {
      throw new WorkbenchException(name + " is missing");
    }
    return String.valueOf(value);
  }

  /** Only for clients that ask for it, by a token that comes with the call. */
  private static Consumer<String> progress(
      McpSyncServerExchange exchange, CallToolRequest request) {
    Map<String, Object> meta = request.meta();
    Object token = meta == null ? null : meta.get("progressToken");
    if (token == null) {
      return line -> {};
    }
    AtomicInteger told = new AtomicInteger();
    return line ->
        exchange.progressNotification(
            ProgressNotification.builder(token, told.incrementAndGet()).message(line).build());
  }

  private static CallToolResult made(Workbench.Made made) {
    CallToolResult.Builder result = CallToolResult.builder().addTextContent(made.text());
    int shown = 0;
    for (Path file : made.files()) {
      Optional<String> type = pictureType(file);
      if (type.isPresent() && shown < MOST_SHOWN) {
        Optional<String> data = small(file);
        if (data.isPresent()) {
          result.addContent(ImageContent.builder(data.get(), type.get()).build());
          shown++;
        }
      }
    }
    return result.build();
  }

  private static Optional<String> pictureType(Path file) {
    String name = file.toString().toLowerCase(Locale.ROOT);
    return name.endsWith(".png")
        ? Optional.of("image/png")
        : name.endsWith(".jpg") || name.endsWith(".jpeg")
            ? Optional.of("image/jpeg")
            : name.endsWith(".webp") ? Optional.of("image/webp") : Optional.empty();
  }

  private static Optional<String> small(Path file) {
    try {
      return Files.size(file) > SHOWN_BYTES
          ? Optional.empty()
          : Optional.of(Base64.getEncoder().encodeToString(Files.readAllBytes(file)));
    } catch (IOException moved) {
      return Optional.empty();
    }
  }

  private static CallToolResult answer(String text) {
    return CallToolResult.builder().addTextContent(text).build();
  }

  private interface Handler {
    CallToolResult handle(McpSyncServerExchange exchange, CallToolRequest request);
  }

  private static SyncToolSpecification tool(
      String name, String description, Map<String, Object> schema, Handler handler) {
    return SyncToolSpecification.builder()
        .tool(Tool.builder(name, schema).description(description).build())
        .callHandler(
            (exchange, request) -> {
              try {
                return handler.handle(exchange, request);
              } catch (WorkbenchException e) {
                return CallToolResult.builder()
                    .addTextContent(String.valueOf(e.getMessage()))
                    .isError(true)
                    .build();
              }
            })
        .build();
  }
}
