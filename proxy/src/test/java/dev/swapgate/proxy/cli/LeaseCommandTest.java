package dev.swapgate.proxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code lease} in its ways: for a time, until a job waits, for as long as the command stays. */
class LeaseCommandTest {

  private static final String LEASE =
      "{'id':'l1','backend':'comfyui','until':'2027-01-31T12:00:30Z'}";

  @TempDir Path folder;
  private ScriptedAdmin admin;

  @BeforeEach
  void start() throws Exception {
    admin = new ScriptedAdmin();
    admin.on("POST leases", 200, LEASE);
  }

  @AfterEach
  void stop() {
    admin.close();
  }

  private Call lease(String... args) {
    String[] all = new String[args.length + 1];
    all[0] = "lease";
    System.arraycopy(args, 0, all, 1, args.length);
    return Call.of(folder, Map.of("SWAPGATE_ADMIN", admin.url()), "", all);
  }

  private void ends(String why) {
    admin.on("PUT leases/l1", 200, LEASE);
    admin.on("PUT leases/l1", 404, "{'error':{'message':'no lease is named l1'}}");
    admin.on(
        "GET history?limit=50&swaps=1",
        200,
        "{'history':[{'what':'swap','detail':'x'},{'what':'lease','detail':'" + why + "'}]}");
  }

  @Test
  void takesMinutes() {
    assertThat(lease("comfyui", "--minutes", "30").exitCode()).isZero();
    assertThat(admin.lastAsked().body()).isEqualTo("{\"backend\":\"comfyui\",\"for\":\"30m\"}");
    assertThat(lease("comfyui", "--minutes", "30", "--for", "1h").exitCode()).isEqualTo(2);
    assertThat(lease("comfyui", "--minutes", "half").exitCode()).isEqualTo(2);
  }

  @Test
  void yieldsToJobs() {
    Call call = lease("comfyui", "--yield");

    assertThat(call.out()).contains("until 2027-01-31 12:00:30Z or until a job waits; end it with");
    assertThat(admin.lastAsked().body()).isEqualTo("{\"backend\":\"comfyui\",\"yields\":true}");
  }

  @Test
  void staysAndBeatsUntilTheLeaseIsOver() {
    ends("l1 has ended: it was given back");

    Call call = lease("comfyui", "--hold");

    assertThat(call.out().strip())
        .isEqualTo("lease l1: comfyui until 2027-01-31 12:00:30Z; Ctrl-C gives it back");
    assertThat(call.err().strip()).isEqualTo("l1 has ended: it was given back");
    assertThat(call.exitCode()).as("before its time").isEqualTo(1);
    assertThat(admin.asked())
        .extracting(ScriptedAdmin.Asked::toString)
        .containsExactly(
            "POST leases", "PUT leases/l1", "PUT leases/l1", "GET history?limit=50&swaps=1");
    assertThat(admin.asked().getFirst().body()).contains("\"heartbeat\":\"60s\"");
  }

  @Test
  void endsWellWhenItYieldsAsItWasAsked() {
    ends("l1 has ended: job j7 of music waits for the card");

    assertThat(lease("comfyui", "--hold", "--yield").exitCode()).isZero();
  }

  @Test
  void outlastsARestartOfSwapgate() {
    admin.on("PUT leases/l1", 0, "");
    ends("l1 has ended: its time is over");

    Call call = lease("comfyui", "--hold");

    assertThat(call.err()).contains("swapgate does not answer; asking again");
    assertThat(call.err()).contains("l1 has ended: its time is over");
  }

  @Test
  void givesUpWhenSwapgateStaysAwayForTheWholeLease() {
    admin.on("PUT leases/l1", 0, "");

    assertThat(lease("comfyui", "--hold").exitCode()).isEqualTo(3);
    assertThat(admin.asked()).hasSizeGreaterThan(20);
  }
}
