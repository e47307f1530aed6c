package dev.swapgate.backends.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLDecoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimMusicTest {
  private static final String[] KEY = {"Authorization", "Bearer secret"};

  @TempDir Path data;
  SimMusic server;
  SimClient client;

  @BeforeEach
  void open() {
    server =
        new SimMusic(
                new SimSettings(
                    Map.of(
                        "SIM_PORT", "0",
                        "SIM_LOAD_TIME", "0ms",
                        "SIM_STEP_TIME", "1ms",
                        "SIM_QUEUE", "2",
                        "SIM_API_KEY", "secret",
                        "SIM_DATA", data.toString())))
            .open();
    client = new SimClient(server.port());
  }

  @AfterEach
  void end() {
    server.close();
  }

  @Test
  void givesTwoFilesWhoseBytesFollowFromTheRequest() throws Exception {
    String task = release("{\"prompt\":\"calm piano\",\"lyrics\":\"la\",\"seed\":7}");
    List<?> items = result(task, 1);

    assertThat(items).hasSize(2);
    for (int i = 0; i < 2; i++) {
      String link = Json.asText(Json.asObject(items.get(i)).get("file"), "");
      assertThat(link).startsWith("/v1/audio?path=");
      assertThat(URLDecoder.decode(link, StandardCharsets.UTF_8)).contains(data.toString());
      SimClient.Reply audio = client.send(client.request(link).headers(KEY).build());
      assertThat(audio.bytes())
          .startsWith('R', 'I', 'F', 'F')
          .isEqualTo(SimMusic.expectedAudio("calm piano", "la", 7, i));
    }
  }

  @Test
  void takesFormsToo() throws Exception {
    SimClient.Reply reply =
        client.send(
            client
                .request("/release_task")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        "prompt=a+b&batch_size=1&seed=3&ai_token=secret"))
                .build());
    assertThat(result((String) reply.at("data.task_id"), 1)).hasSize(1);
  }

  @Test
  void wantsTheKeyExceptForHealth() throws Exception {
    assertThat(client.get("/health").at("data.status")).isEqualTo("ok");
    assertThat(client.post("/release_task", "{\"prompt\":\"x\"}").status()).isEqualTo(401);
    assertThat(client.post("/release_task", "{\"ai_token\":\"secret\"}").status()).isEqualTo(200);
  }

  @Test
  void refusesInsideA200AndFailsWithStatusTwo() throws Exception {
    SimClient.Reply refused = client.post("/release_task", "{\"prompt\":\"sim:refuse\"}", KEY);
    assertThat(refused.status()).isEqualTo(200);
    assertThat(refused.at("code")).isEqualTo(500L);
    assertThat(refused.at("data")).isNull();

    List<?> items = result(release("{\"prompt\":\"sim:error\"}"), 2);
    assertThat(Json.asObject(items.getFirst()).get("error")).asString().contains("asked for");
  }

  @Test
  void refusesWith429WhenItsQueueIsFull() throws Exception {
    release("{\"prompt\":\"sim:hang\"}");
    int status = 200;
    for (int i = 0; i < 4 && status == 200; i++) {
      status = client.post("/release_task", "{\"prompt\":\"waits\"}", KEY).status();
    }
    assertThat(status).isEqualTo(429);
  }

  @Test
  void refusesOddRequests() throws Exception {
    assertThat(
            client
                .send(
                    client
                        .request("/release_task")
                        .headers(KEY)
                        .header("Content-Type", "text/plain")
                        .POST(HttpRequest.BodyPublishers.ofString("x"))
                        .build())
                .status())
        .isEqualTo(415);
    assertThat(
            client
                .send(client.request("/v1/audio?path=%2Fetc%2Fpasswd").headers(KEY).build())
                .status())
        .isEqualTo(403);
  }

  private String release(String body) throws Exception {
    SimClient.Reply reply = client.post("/release_task", body, KEY);
    assertThat(reply.at("code")).as(reply.text()).isEqualTo(200L);
    assertThat(reply.at("data.status")).isEqualTo("queued");
    return (String) reply.at("data.task_id");
  }

  /** The items of the result, which is JSON inside a string, once the task has this status. */
  private List<?> result(String task, long status) throws Exception {
    String ask = "{\"task_id_list\":[\"" + task + "\"]}";
    SimClient.Reply reply = client.post("/query_result", ask, KEY);
    for (int look = 0; look < 500 && !reply.at("data.0.status").equals(status); look++) {
      new CompletableFuture<Void>().completeOnTimeout(null, 20, TimeUnit.MILLISECONDS).join();
      reply = client.post("/query_result", ask, KEY);
    }
    assertThat(reply.at("data.0.status")).as(reply.text()).isEqualTo(status);
    return Json.asList(Json.parse((String) reply.at("data.0.result")));
  }
}
