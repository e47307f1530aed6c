package dev.swapgate.proxy.mcp;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import java.io.IOException;

/** The protocol's messages as JSON, by the Jackson that the rest of swapgate has. Thread-safe. */
public final class WireJson implements McpJsonMapper {

  private final ObjectMapper json =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  @Override
  public <T> T readValue(String content, Class<T> type) throws IOException {
    return json.readValue(content, type);
  }

  @Override
  public <T> T readValue(byte[] content, Class<T> type) throws IOException {
    return json.readValue(content, type);
  }

  @Override
  public <T> T readValue(String content, TypeRef<T> type) throws IOException {
    return json.readValue(content, json.constructType(type.getType()));
  }

  @Override
  public <T> T readValue(byte[] content, TypeRef<T> type) throws IOException {
    return json.readValue(content, json.constructType(type.getType()));
  }

  @Override
  public <T> T convertValue(Object from, Class<T> type) {
    return json.convertValue(from, type);
  }

  @Override
  public <T> T convertValue(Object from, TypeRef<T> type) {
    return json.convertValue(from, json.constructType(type.getType()));
  }

  @Override
  public String writeValueAsString(Object value) throws IOException {
    return json.writeValueAsString(value);
  }

  @Override
  public byte[] writeValueAsBytes(Object value) throws IOException {
    return json.writeValueAsBytes(value);
  }
}
