package dev.swapgate.backends.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimComfyUiTest {

  /** A text-to-image graph with two saved pictures and a preview. */
  static String graph(String text, int steps) {
    return """
        {"1":{"class_type":"CheckpointLoaderSimple","inputs":{"ckpt_name":"dreamshaper_8.safetensors"}},
         "2":{"class_type":"CLIPTextEncode","inputs":{"text":"%s","clip":["1",1]}},
         "3":{"class_type":"EmptyLatentImage","inputs":{"width":512,"height":512,"batch_size":1}},
         "4":{"class_type":"KSampler","inputs":{"model":["1",0],"seed":18446744073709551615,"steps":%d,
           "cfg":7.5,"sampler_name":"euler","scheduler":"normal","denoise":1,
           "positive":["2",0],"negative":["2",0],"latent_image":["3",0]}},
         "5":{"class_type":"VAEDecode","inputs":{"samples":["4",0],"vae":["1",2]}},
         "6":{"class_type":"SaveImage","inputs":{"images":["5",0],"filename_prefix":"first"}},
         "7":{"class_type":"ImageInvert","inputs":{"image":["5",0]}},
         "8":{"class_type":"SaveImage","inputs":{"images":["7",0],"filename_prefix":"sub/second"}},
         "9":{"class_type":"PreviewImage","inputs":{"images":["5",0]}}}"""
        .formatted(text, steps);
  }

  @TempDir Path data;

  SimComfyUi server;
  SimClient client;

  @BeforeEach
  void open() {
    start("false");
  }

  @AfterEach
  void end() {
    server.close();
  }

  private void start(String old) {
    server =
        new SimComfyUi(
                new SimSettings(
                    Map.of(
                        "SIM_PORT", "0",
                        "SIM_LOAD_TIME", "0ms",
                        "SIM_STEP_TIME", "2ms",
                        "SIM_COMFYUI_OLD", old,
                        "SIM_DATA", data.toString())))
            .open();
    client = new SimClient(server.port());
  }

  @Test
  void savesEachOutputWithTheBytesThatFollowFromTheGraph() throws Exception {
    String graph = graph("a glass bottle", 3);
    String id = submit(graph);
    SimClient.Reply done = await(id);

    assertThat(done.at(id + ".status.status_str")).isEqualTo("success");
    assertThat(done.at(id + ".outputs.6.images.0.filename")).isEqualTo("first_00001_.png");
    assertThat(done.at(id + ".outputs.8.images.0.subfolder")).isEqualTo("sub");
    assertThat(done.at(id + ".outputs.9.images.0.type")).isEqualTo("temp");

    byte[] first = client.get("/view?filename=first_00001_.png&type=output").bytes();
    byte[] second = client.get("/view?filename=second_00001_.png&subfolder=sub").bytes();
    assertThat(first).isEqualTo(ComfyGraph.expectedFile(graph, "6", 0)).startsWith(0x89, 'P');
    assertThat(second).isEqualTo(ComfyGraph.expectedFile(graph, "8", 0)).isNotEqualTo(first);
    assertThat(ComfyGraph.expectedFile(graph("another", 3), "6", 0)).isNotEqualTo(first);
  }

  @Test
  void givesTheEarlierNamesForTheSameGraph() throws Exception {
    String first = submit(graph("twice", 2));
    Object names = await(first).at(first + ".outputs");
    String second = submit(graph("twice", 2));
    assertThat(await(second).at(second + ".outputs")).isEqualTo(names);
    String other = submit(graph("thrice", 2));
    assertThat(await(other).at(other + ".outputs.6.images.0.filename"))
        .isEqualTo("first_00002_.png");
  }

  @Test
  void forgetsItsHistoryInARestartButKeepsFiles() throws Exception {
    String id = submit(graph("kept", 1));
    await(id);
    server.close();
    start("false");
    assertThat(client.get("/history/" + id).text()).isEqualTo("{}");
    assertThat(client.get("/view?filename=first_00001_.png").status()).isEqualTo(200);
  }

  @Test
  void refusesWhatTheRealOneRefuses() throws Exception {
    refused("{}", 400, "no_prompt");
    refused("{\"prompt\":" + graph("x", 1) + ",\"prompt_id\":\"ABC\"}", 400, "invalid_prompt_id");
    refused("{\"prompt\":{\"1\":{\"inputs\":{}}}}", 400, "missing_node_type");
    refused("{\"prompt\":{\"1\":{\"class_type\":\"Nope\"}}}", 400, "missing_node_type");
    refused("{\"prompt\":{}}", 400, "prompt_no_outputs");
    SimClient.Reply missing =
        refused(
            "{\"prompt\":" + graph("x", 1).replace("dreamshaper_8", "unknown") + "}",
            400,
            "prompt_outputs_failed_validation");
    assertThat(missing.at("node_errors.1.errors.0.type")).isEqualTo("value_not_in_list");
    refused(
        "{\"prompt\":" + graph("x", 1).replace("[\"5\",0]", "[\"2\",0]") + "}",
        400,
        "prompt_outputs_failed_validation");
    assertThat(client.post("/prompt", "{\"prompt\":{\"nodes\":[],\"version\":0.4}}").status())
        .isEqualTo(500);
    assertThat(client.post("/prompt", "no json").status()).isEqualTo(500);
  }

  @Test
  void runsTheGoodOutputsAndNamesTheBad() throws Exception {
    String graph = graph("half", 1).replace("\"image\":[\"5\",0]", "\"image\":[\"none\",0]");
    SimClient.Reply accepted = client.post("/prompt", "{\"prompt\":" + graph + "}");
    assertThat(accepted.status()).isEqualTo(200);
    assertThat(accepted.at("node_errors.7.errors.0.type")).isEqualTo("exception_during_validation");
    String id = (String) accepted.at("prompt_id");
    assertThat(Json.asObject(await(id).at(id + ".outputs"))).containsOnlyKeys("6", "9");
  }

  @Test
  void tellsTheErrorOfAJobAndKeepsItsPartialOutputs() throws Exception {
    String failed = submit(graph("sim:error", 1));
    SimClient.Reply history = await(failed);
    assertThat(history.at(failed + ".status.status_str")).isEqualTo("error");
    assertThat(history.text()).contains("execution_error").contains("exception_message");
    assertThat(client.get("/api/jobs/" + failed).at("status")).isEqualTo("failed");

    String partial = submit(graph("sim:partial", 1));
    assertThat(Json.asObject(await(partial).at(partial + ".outputs"))).containsOnlyKeys("6");
  }

  @Test
  void interruptsOnlyTheNamedPromptAndDeletesPendingOnes() throws Exception {
    String running = submit(graph("long", 10_000));
    String waiting = submit(graph("waits", 1));
    client.until("/queue", reply -> reply.text().contains("\"queue_running\":[[1"));

    client.post("/interrupt", "{\"prompt_id\":\"" + waiting + "\"}");
    assertThat(client.get("/api/jobs/" + running).at("status")).isEqualTo("in_progress");
    client.post("/queue", "{\"delete\":[\"" + waiting + "\"]}");
    assertThat(client.get("/api/jobs/" + waiting).status()).isEqualTo(404);

    client.post("/interrupt", "{\"prompt_id\":\"" + running + "\"}");
    assertThat(await(running).text()).contains("execution_interrupted");
    assertThat(client.get("/api/jobs/" + running).at("status")).isEqualTo("cancelled");
    assertThat(client.post("/api/jobs/" + running + "/cancel", "").at("cancelled"))
        .isEqualTo(false);
  }

  @Test
  void canBeAnOldServer() throws Exception {
    server.close();
    start("true");
    assertThat(client.get("/api/jobs/" + UUID.randomUUID()).status()).isEqualTo(404);
    assertThat(client.get("/api/jobs").status()).isEqualTo(404);
    refused("{\"prompt\":{\"1\":{\"inputs\":{}}}}", 400, "invalid_prompt");
  }

  @Test
  void takesUploadsUnderAFreeNameAndLoadsThem() throws Exception {
    assertThat(upload("in.png", "one").at("name")).isEqualTo("in.png");
    assertThat(upload("in.png", "one").at("name")).isEqualTo("in.png");
    assertThat(upload("in.png", "two").at("name")).isEqualTo("in (1).png");
    String graph =
        """
        {"1":{"class_type":"LoadImage","inputs":{"image":"%s"}},
         "2":{"class_type":"SaveImage","inputs":{"images":["1",0],"filename_prefix":"out"}}}""";
    String id = submit(graph.formatted("in (1).png"));
    await(id);
    assertThat(client.get("/view?filename=out_00001_.png").bytes())
        .isEqualTo(
            ComfyGraph.expectedFile(
                graph.formatted("in.png"), "2", 0, Map.of("in.png", bytes("two"))));
    refused(
        "{\"prompt\":" + graph.formatted("gone.png") + "}",
        400,
        "prompt_outputs_failed_validation");
  }

  @Test
  void guardsItsFilesAndItsOrigin() throws Exception {
    assertThat(client.get("/view?filename=..%2Fx.png").status()).isEqualTo(400);
    assertThat(client.get("/view?filename=%2Fetc%2Fpasswd").status()).isEqualTo(400);
    assertThat(client.get("/view?filename=x.png&subfolder=..%2F..").status()).isEqualTo(403);
    assertThat(client.get("/view?filename=x.png").status()).isEqualTo(404);
    assertThat(
            client
                .send(client.request("/queue").header("Origin", "http://evil.example").build())
                .status())
        .isEqualTo(403);
    assertThat(client.get("/system_stats").at("devices.0.type")).isEqualTo("cuda");
    assertThat(client.get("/object_info/KSampler").at("KSampler.output"))
        .isEqualTo(List.of("LATENT"));
  }

  @Test
  void makesAudioAndBatches() throws Exception {
    String graph =
        """
        {"1":{"class_type":"EmptyAudio","inputs":{"duration":1}},
         "2":{"class_type":"SaveAudio","inputs":{"audio":["1",0],"filename_prefix":"audio/a"}},
         "3":{"class_type":"EmptyImage","inputs":{"width":8,"height":8,"batch_size":3,"color":0}},
         "4":{"class_type":"SaveImage","inputs":{"images":["3",0],"filename_prefix":"b"}}}""";
    String id = submit(graph);
    SimClient.Reply done = await(id);
    assertThat(done.at(id + ".outputs.2.audio.0.filename")).isEqualTo("a_00001_.wav");
    assertThat(Json.asList(done.at(id + ".outputs.4.images"))).hasSize(3);
    assertThat(client.get("/api/view?filename=b_00003_.png").bytes())
        .isEqualTo(ComfyGraph.expectedFile(graph, "4", 2));
  }

  private String submit(String graph) throws Exception {
    String id = UUID.randomUUID().toString();
    SimClient.Reply reply =
        client.post("/prompt", "{\"prompt\":" + graph + ",\"prompt_id\":\"" + id + "\"}");
    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    assertThat(reply.at("prompt_id")).isEqualTo(id);
    return id;
  }

  private SimClient.Reply await(String id) throws Exception {
    return client.until("/history/" + id, reply -> !reply.text().equals("{}"));
  }

  private SimClient.Reply refused(String body, int status, String type) throws Exception {
    SimClient.Reply reply = client.post("/prompt", body);
    assertThat(reply.status()).as(reply.text()).isEqualTo(status);
    assertThat(reply.at("error.type")).isEqualTo(type);
    return reply;
  }

  private SimClient.Reply upload(String name, String content) throws Exception {
    String body =
        "--b\r\nContent-Disposition: form-data; name=\"image\"; filename=\""
            + name
            + "\"\r\nContent-Type: image/png\r\n\r\n"
            + content
            + "\r\n--b--\r\n";
    return client.send(
        client
            .request("/upload/image")
            .header("Content-Type", "multipart/form-data; boundary=b")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build());
  }

  @Test
  void takesItsMemoryInTwoPartsAndKeepsTheFirstAfterFree(@TempDir Path directory) throws Exception {
    PretendCard card = PretendCard.at(directory).withLag(Duration.ZERO);
    try (SimProcess process =
        SimProcess.start(
            SimComfyUi.class,
            Map.of(
                "SIM_CARD",
                directory.toString(),
                "SIM_PORT",
                "0",
                "SIM_JOB_MIB",
                "20000",
                "SIM_DATA",
                data.toString()))) {
      SimClient client = new SimClient(process.port());
      assertThat(card.freeMib()).isEqualTo(PretendCard.TOTAL_MIB - 500);

      String id = UUID.randomUUID().toString();
      client.post("/prompt", "{\"prompt\":" + graph("m", 1) + ",\"prompt_id\":\"" + id + "\"}");
      client.until("/history/" + id, reply -> !reply.text().equals("{}"));
      assertThat(card.freeMib()).isEqualTo(PretendCard.TOTAL_MIB - 20_000);

      client.post("/free", "{\"unload_models\":true,\"free_memory\":true}");
      client.until(
          "/system_stats",
          reply -> reply.at("devices.0.torch_vram_total").equals(500L * 1024 * 1024));
      assertThat(card.freeMib()).isEqualTo(PretendCard.TOTAL_MIB - 500);

      client.post("/prompt", "{\"prompt\":" + graph("sim:crash", 1) + "}");
      assertThat(process.exitCode()).isEqualTo(139);
    }
    assertThat(card.freeMib()).isEqualTo(PretendCard.TOTAL_MIB);
    assertThat(card.journal().failedClaims()).isEmpty();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
