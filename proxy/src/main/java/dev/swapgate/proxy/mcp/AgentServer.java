package dev.swapgate.proxy.mcp;

import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** Serves one agent until it closes its side. */
public final class AgentServer {

  /** Of a call: a swap, a render and the reload of an engine. */
  private static final Duration LONGEST_CALL = Duration.ofHours(6);

  private AgentServer() {}

  /** Blocks until the agent has left. Only the protocol is written to {@code out}. */
  public static void serve(Workbench workbench, String version, InputStream in, OutputStream out) {
    CountDownLatch left = new CountDownLatch(1);
    McpSyncServer server =
        McpServer.sync(new StdioServerTransportProvider(new WireJson(), watched(in, left), out))
            .serverInfo("swapgate", version)
            .instructions(
                "This box has one GPU. Chat and the tools that make something take turns on it;"
                    + " each make_ call swaps them and waits until chat is back.")
            .capabilities(ServerCapabilities.builder().tools(false).build())
            .jsonMapper(new WireJson())
            .jsonSchemaValidator(unchecked())
            .validateToolInputs(false)
            .requestTimeout(LONGEST_CALL)
            .tools(new AgentTools(workbench).all())
            .build();
    try {
      left.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      server.close();
    }
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
