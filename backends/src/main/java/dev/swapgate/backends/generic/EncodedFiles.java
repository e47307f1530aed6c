package dev.swapgate.backends.generic;

import com.fasterxml.jackson.core.Base64Variants;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import dev.swapgate.backends.media.AnswerException;
import dev.swapgate.backends.media.Json;
import dev.swapgate.backends.media.ResultFolder;
import dev.swapgate.backends.recipe.JsonPath;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/** Files inside a JSON answer, decoded as they are read: none of them is ever in memory whole. */
final class EncodedFiles {
  private EncodedFiles() {}

  /**
   * Saves every text at the path.
   *
   * @param json an answer on our disk
   * @param name of each file
   */
  static void save(Path json, JsonPath path, String name, ResultFolder results) {
    boolean any = false;
    try (JsonParser parser = Json.MAPPER.createParser(json.toFile())) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token == JsonToken.VALUE_STRING && isAt(parser.getParsingContext(), path.steps())) {
          results.write(name, sink -> decode(parser, path, sink));
          any = true;
        }
      }
    } catch (JsonProcessingException broken) {
      throw AnswerException.uncollectable(
          "the server's answer is not JSON: " + Json.line(broken.getOriginalMessage(), 200));
    } catch (IOException refused) {
      throw AnswerException.unwritable("reading " + json + ": " + refused.getMessage());
    }
    if (!any) {
      throw AnswerException.uncollectable("the server's answer holds no file at " + path.text());
    }
  }

  private static void decode(JsonParser parser, JsonPath path, ResultFolder.Sink sink) {
    try {
      int unused = parser.readBinaryValue(Base64Variants.MIME_NO_LINEFEEDS, new Into(sink));
    } catch (IOException | IllegalArgumentException broken) {
      throw AnswerException.uncollectable(
          "what stands at " + path.text() + " of the server's answer is not base64");
    }
  }

  private static boolean isAt(JsonStreamContext place, List<JsonPath.Step> steps) {
    JsonStreamContext here = place;
    for (JsonPath.Step step : steps.reversed()) {
      boolean fits =
          switch (step) {
            case JsonPath.Step.Key key ->
                here.inObject() && key.name().equals(here.getCurrentName());
            case JsonPath.Step.Item item ->
                here.inArray() && here.getCurrentIndex() == item.place();
            case JsonPath.Step.Each each -> here.inArray();
          };
      if (!fits) {
        return false;
      }
      here = here.getParent();
    }
    return here.inRoot();
  }

  private static final class Into extends OutputStream {
    private final ResultFolder.Sink sink;

    Into(ResultFolder.Sink sink) {
      this.sink = sink;
    }

    @Override
    public void write(int one) {
      sink.write(ByteBuffer.wrap(new byte[] {(byte) one}));
    }

    @Override
    public void write(byte[] bytes, int from, int count) {
      sink.write(ByteBuffer.wrap(bytes, from, count));
    }
  }
}
