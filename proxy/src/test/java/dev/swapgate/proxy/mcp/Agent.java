package dev.swapgate.proxy.mcp;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** An agent with the protocol's own client, whose server is a program that it starts. */
public final class Agent implements AutoCloseable {
  private final McpSyncClient client;
  private final List<String> progress = new CopyOnWriteArrayList<>();
  private volatile boolean toldOfOtherTools;

  /**
   * @param program and its arguments
   */
  public Agent(List<String> program) {
    StdioClientTransport transport =
        new StdioClientTransport(
            ServerParameters.builder(program.getFirst())
                .args(program.subList(1, program.size()))
                .build(),
            new WireJson());
    client =
        McpClient.sync(transport)
            .requestTimeout(Duration.ofSeconds(180))
            .initializationTimeout(Duration.ofSeconds(60))
            .jsonSchemaValidator(
                (schema, content) -> JsonSchemaValidator.ValidationResponse.asValid(""))
            .toolsChangeConsumer(tools -> toldOfOtherTools = true)
            .progressConsumer(told -> progress.add(told.message()))
            .build();
    client.initialize();
  }

  /** Each tool's name and the properties of what it takes. */
  public Map<String, Object> tools() {
    Map<String, Object> tools = new TreeMap<>();
    client
        .listTools()
        .tools()
        .forEach(tool -> tools.put(tool.name(), tool.inputSchema().get("properties")));
    return tools;
  }

  /** Whether it was told, since it began, that the tools have changed. */
  public boolean toldOfOtherTools() {
    return toldOfOtherTools;
  }

  /** What a tool said. */
  public record Said(boolean failed, String text, List<String> pictures) {}

  public Said call(String tool, Map<String, Object> arguments) {
    return said(client.callTool(CallToolRequest.builder(tool).arguments(arguments).build()));
  }

  /** And asks to be told how it goes. */
  public Said callWatching(String tool, Map<String, Object> arguments) {
    return said(
        client.callTool(
            CallToolRequest.builder(tool).arguments(arguments).progressToken("t1").build()));
  }

  private static Said said(CallToolResult result) {
    StringBuilder text = new StringBuilder();
    List<String> pictures = new CopyOnWriteArrayList<>();
    result
        .content()
        .forEach(
            content -> {
              if (content instanceof TextContent words) {
                text.append(words.text());
              } else if (content instanceof ImageContent picture) {
                pictures.add(picture.mimeType() + " " + picture.data());
              }
            });
    return new Said(Boolean.TRUE.equals(result.isError()), text.toString(), pictures);
  }

  /** What was told while calls went on. */
  public List<String> progress() {
    return progress;
  }

  @Override
  public void close() {
    client.close();
  }
}
