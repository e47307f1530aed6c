package dev.swapgate.proxy.jobs;

import dev.swapgate.proxy.http.HttpProblem;
import io.undertow.connector.ByteBufferPool;
import io.undertow.server.DefaultByteBufferPool;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.MultipartParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Takes a multipart body apart while it arrives: the part {@code job} is kept, every other part
 * goes to a file of the batch. Undertow's form parsing is left alone on purpose: it writes what it
 * is sent to the disk for any request whose parameters are looked at.
 */
final class MultipartBody implements MultipartParser.PartHandler {

  /** Files that may go along with one job. */
  static final int MAX_FILES = 16;

  private static final ByteBufferPool BUFFERS = new DefaultByteBufferPool(false, 16 * 1024);

  private final Uploads.Batch batch;
  private final int maxJob;
  private final ByteArrayOutputStream job = new ByteArrayOutputStream();
  private boolean inJob;
  private boolean jobSeen;
  private @Nullable FileChannel file;

  private MultipartBody(Uploads.Batch batch, int maxJob) {
    this.batch = batch;
    this.maxJob = maxJob;
  }

  /**
   * Reads it to its end; blocks.
   *
   * @param maxJob bytes that the part {@code job} may have
   * @return the bytes of the part {@code job}
   * @throws HttpProblem 400 when it is not what it should be
   */
  static byte[] read(InputStream in, String contentType, Uploads.Batch batch, int maxJob)
      throws IOException {
    String boundary = Headers.extractQuotedValueFromHeader(contentType, "boundary");
    if (boundary == null || boundary.isEmpty()) {
      throw new HttpProblem(400, "bad_multipart", "the Content-Type names no boundary");
    }
    MultipartBody parts = new MultipartBody(batch, maxJob);
    try {
      return parts.readAll(in, boundary);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } finally {
      parts.closeFile();
    }
  }

  private byte[] readAll(InputStream in, String boundary) throws IOException {
    MultipartParser.ParseState state =
        MultipartParser.beginParse(
            BUFFERS, this, boundary.getBytes(StandardCharsets.US_ASCII), "UTF-8");
    byte[] chunk = new byte[16 * 1024];
    for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
      state.parse(ByteBuffer.wrap(chunk, 0, read));
    }
    if (!state.isComplete()) {
      throw new HttpProblem(400, "bad_multipart", "the body ends before its last boundary");
    }
    if (!jobSeen) {
      throw new HttpProblem(400, "missing_field", "the part named job is missing: the job's JSON");
    }
    batch.force();
    return job.toByteArray();
  }

  @Override
  public void beginPart(HeaderMap headers) {
    String disposition = headers.getFirst(Headers.CONTENT_DISPOSITION);
    String part =
        disposition == null ? null : Headers.extractQuotedValueFromHeader(disposition, "name");
    if (disposition == null || part == null) {
      throw new HttpProblem(400, "bad_multipart", "a part has no name");
    }
    inJob = part.equals("job");
    if (inJob) {
      if (jobSeen) {
        throw new HttpProblem(400, "bad_multipart", "there are two parts named job");
      }
      jobSeen = true;
      return;
    }
    String sent = Headers.extractQuotedValueFromHeaderWithEncoding(disposition, "filename");
    openFile(sent == null ? part : sent);
  }

  private void openFile(String name) {
    if (name.isBlank()
        || name.length() > 200
        || name.startsWith(".")
        || name.chars().anyMatch(c -> c < ' ' || c == 127 || "/\\\":*?<>|".indexOf(c) >= 0)) {
      throw new HttpProblem(
          400, "bad_file_name", "a file's name must be plain, without folders: " + name);
    }
    if (batch.has(name) || batch.attachments().size() >= MAX_FILES) {
      throw new HttpProblem(
          400, "bad_multipart", "at most " + MAX_FILES + " files, each with its own name");
    }
    try {
      file = batch.add(name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void data(ByteBuffer bytes) throws IOException {
    FileChannel open = file;
    if (inJob) {
      if (job.size() + bytes.remaining() > maxJob) {
        throw new HttpProblem(
            413, "body_too_large", "the part named job is larger than " + maxJob + " bytes");
      }
      byte[] copy = new byte[bytes.remaining()];
      bytes.get(copy);
      job.writeBytes(copy);
    } else if (open != null) {
      while (bytes.hasRemaining()) {
        open.write(bytes);
      }
    }
  }

  @Override
  public void endPart() {
    inJob = false;
    try {
      FileChannel open = file;
      if (open != null) {
        open.force(true);
      }
      closeFile();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void closeFile() throws IOException {
    FileChannel open = file;
    if (open != null) {
      file = null;
      open.close();
    }
  }
}
