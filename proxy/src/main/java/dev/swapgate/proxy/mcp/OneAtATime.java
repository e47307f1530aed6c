package dev.swapgate.proxy.mcp;

import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpServerSession;
import io.modelcontextprotocol.spec.McpServerTransport;
import io.modelcontextprotocol.spec.McpServerTransportProvider;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * Lets one message after the other into the library's transport. Of two that come at once, such as
 * an answer and a line of progress, it would drop one, and a caller would wait for ever.
 */
final class OneAtATime implements McpServerTransportProvider {

  private final McpServerTransportProvider provider;

  OneAtATime(McpServerTransportProvider provider) {
    this.provider = provider;
  }

  @Override
  public void setSessionFactory(McpServerSession.Factory factory) {
    provider.setSessionFactory(transport -> factory.create(new Turns(transport)));
  }

  /** An agent that has just left need not be told. */
  @Override
  public Mono<Void> notifyClients(String method, Object what) {
    return provider.notifyClients(method, what).onErrorComplete();
  }

  @Override
  public Mono<Void> notifyClient(String session, String method, Object what) {
    return provider.notifyClient(session, method, what);
  }

  @Override
  public Mono<Void> closeGracefully() {
    return provider.closeGracefully();
  }

  @Override
  public List<String> protocolVersions() {
    return provider.protocolVersions();
  }

  /** The message is in the transport's queue when the subscription returns. */
  private static final class Turns implements McpServerTransport {
    private final McpServerTransport transport;
    private final Object turn = new Object();

    Turns(McpServerTransport transport) {
      this.transport = transport;
    }

    @Override
    public Mono<Void> sendMessage(JSONRPCMessage message) {
      return Mono.create(
          sent -> {
            synchronized (turn) {
              var unused =
                  transport
                      .sendMessage(message)
                      .subscribe(nothing -> {}, sent::error, sent::success);
            }
          });
    }

    @Override
    public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
      return transport.unmarshalFrom(data, type);
    }

    @Override
    public Mono<Void> closeGracefully() {
      return transport.closeGracefully();
    }

    @Override
    public void close() {
      transport.close();
    }

    @Override
    public List<String> protocolVersions() {
      return transport.protocolVersions();
    }
  }
}
