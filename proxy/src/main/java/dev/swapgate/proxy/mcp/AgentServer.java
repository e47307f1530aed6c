package dev.swapgate.proxy.mcp;

import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Serves one agent until it closes its side. */
public final class AgentServer {

  /** Of a call: a swap, a render and the reload of an engine. */
  private static final Duration LONGEST_CALL = Duration.ofHours(6);

  /** An agent asks for tools once, and again when it is told that they have changed. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

  private AgentServer() {}

  /** Blocks until the agent has left. Only the protocol is written to {@code out}. */
  public static void serve(Workbench workbench, String version, InputStream in, OutputStream out) {
    CountDownLatch left = new CountDownLatch(1);
    AgentTools tools = new AgentTools(workbench);
    McpSyncServer server =
        McpServer.sync(
                new OneAtATime(
                    new StdioServerTransportProvider(new WireJson(), watched(in, left), out)))
            .serverInfo("swapgate", version)
            .instructions(
                "This box has one GPU. Chat and the tools that make something take turns on it;"
                    + " each make_ call swaps them and waits until chat is back.")
            .capabilities(ServerCapabilities.builder().tools(true).build())
            .jsonMapper(new WireJson())
            .jsonSchemaValidator(unchecked())
            .validateToolInputs(false)
            .requestTimeout(LONGEST_CALL)
            .tools(tools.all())
            .build();
    try {
      while (!left.await(LOOK_AGAIN.toMillis(), TimeUnit.MILLISECONDS)) {
        refresh(tools, server);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      server.close();
    }
  }

  /** Tells the agent, where workflows came, went or take other values. */
  private static void refresh(AgentTools tools, McpSyncServer server) {
    if (!tools.lookAgain()) {
      return;
    }
    Map<String, Tool> before =
        server.listTools().stream().collect(Collectors.toMap(Tool::name, tool -> tool));
    List<SyncToolSpecification> now = tools.all();
    for (SyncToolSpecification one : now) {
      if (!one.tool().equals(before.remove(one.tool().name()))) {
        server.addTool(one); // In place of the one of that name.
      }
    }
    before.keySet().forEach(server::removeTool);
  }

  /** swapgate itself checks what it is given, with better words. */
  private static JsonSchemaValidator unchecked() {
    return (schema, content) -> JsonSchemaValidator.ValidationResponse.asValid("");
  }

  private static InputStream watched(InputStream in, CountDownLatch left) {
    return new FilterInputStream(in) {
      @Override
      public int read() throws IOException {
        return noticed(super.read());
      }

      @Override
      public int read(byte[] into, int from, int most) throws IOException {
        return noticed(super.read(into, from, most));
      }

      private int noticed(int read) {
        if (read < 0) {
          left.countDown();
        }
        return read;
      }
    };
  }
}
