package dev.swapgate.proxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each command that asks or tells something: what it asks, what it prints, how it ends. */
class CommandsTest {

  private static final String STATUS =
      """
      {'phase':'running','owner':'comfyui','selected':'vllm','chat_open':false,
       'reason':'a job runs','swap':{'since':'2027-01-31T11:59:00.123Z','elapsed_seconds':60,
       'retry_after_seconds':174},'inside':1,'held':2,'jobs':{'queued':3,'running':1},
       'engines':[{'name':'vllm','container':'vllm-1','state':'down','ready':false,
       'last_ready_seconds':480}],'media':[{'name':'comfyui','container':'comfy','state':'ready',
       'ready':true,'last_ready_seconds':null}],'card':{'name':'RTX 5090','total_mib':32607,
       'free_mib':512,'source':'nvidia-smi'},'host':{'memory_free_mib':41000},'fallback':[],
       'version':'0.1.0'}""";

  @TempDir Path folder;
  private ScriptedAdmin admin;

  @BeforeEach
  void start() throws Exception {
    admin = new ScriptedAdmin();
  }

  @AfterEach
  void stop() {
    admin.close();
  }

  private Call call(String... args) {
    return Call.of(folder, Map.of("SWAPGATE_ADMIN", admin.url()), "", args);
  }

  @Test
  void statusIsAPageForPeople() {
    admin.on("GET status", 200, STATUS);

    Call call = call("status");

    assertThat(call.exitCode()).isZero();
    assertThat(call.out().lines())
        .containsExactly(
            "chat      shut, open again in about 174 seconds",
            "phase     running",
            "reason    a job runs",
            "owner     comfyui",
            "selected  vllm",
            "swap      since 2027-01-31 11:59:00Z, for 60 s",
            "jobs      3 queued, 1 running",
            "requests  1 inside, 2 held",
            "card      RTX 5090, 32607 MiB in all, 512 MiB free (nvidia-smi)",
            "host      41000 MiB free",
            "fallback  none",
            "version   0.1.0",
            "",
            "ENGINE  CONTAINER  STATE  READY  LAST LOAD",
            "vllm    vllm-1     down   no     480 s",
            "",
            "MEDIA    CONTAINER  STATE  READY  LAST LOAD",
            "comfyui  comfy      ready  yes    -");
  }

  @Test
  void statusShowsWhatIsSetAsideOfFallbackProviders() {
    admin.on(
        "GET status",
        200,
        STATUS.replace(
            "'fallback':[]",
            """
            'fallback':[{'name':'openrouter','url':'openrouter.ai','state':'ready','keys':[
            {'name':'first','key':'…1234','cooldown':'openrouter:first','kind':'limit',
            'why':'429, a rate limit','left_seconds':42,'until':'2027-01-31T12:00:42Z'},
            {'name':'second','key':'…5678'}],'models':[{'name':'old/one',
            'cooldown':'openrouter:old/one','kind':'gone','why':'410, the model is gone'}]}]"""));

    assertThat(call("status").out().lines())
        .contains("fallback  openrouter")
        .endsWith(
            "FALLBACK         WHERE          STATE  COOLDOWN            UNTIL                        "
                + "WHY",
            "openrouter       openrouter.ai  ready  -                   -                            "
                + "-",
            "  key first      …1234          limit  openrouter:first    2027-01-31 12:00:42Z (42 s)  "
                + "429, a rate limit",
            "  key second     …5678          ready  -                   -                            "
                + "-",
            "  model old/one  -              gone   openrouter:old/one  cleared                      "
                + "410, the model is gone");
  }

  @Test
  void aCooldownIsClearedByItsName() {
    admin.on("DELETE cooldowns/openrouter%3Aold%2Fone", 200, "{'phase':'running'}");

    Call call = call("cooldown", "clear", "openrouter:old/one");

    assertThat(call.exitCode()).isZero();
    assertThat(call.out()).contains("openrouter:old/one may be asked again");
    assertThat(call("cooldown", "list", "x").exitCode()).isEqualTo(2);
  }

  @Test
  void jsonIsPassedOnAsItCame() {
    admin.on("GET status", 200, "{'phase':'serving','chat_open':true}");

    assertThat(call("status", "--json").out())
        .isEqualTo("{\"phase\":\"serving\",\"chat_open\":true}" + System.lineSeparator());
  }

  @ParameterizedTest
  @ValueSource(strings = {"jobs", "ps"})
  void jobsIsATable(String command) {
    admin.on(
        "GET jobs?state=done%2Cfailed",
        200,
        """
        {'jobs':[{'id':'j2','state':'failed','backend':'music','priority':'high','attempts':2,
        'created':'2027-01-31T11:00:00Z','ended':'2027-01-31T11:05:00Z','error':'out of memory\\nx',
        'files':[]},{'id':'j1','state':'done','backend':'comfyui',
        'priority':'normal','attempts':1,
        'created':'2027-01-31T10:00:00Z','ended':null,'error':null,'files':['a.png','b.png']}]}""");

    Call call = call(command, "--state", "done,failed");

    assertThat(call.out().lines())
        .containsExactly(
            "ID  STATE   BACKEND  PRIORITY  TRIES  CREATED               ENDED               "
                + "  FILES  ERROR",
            "j2  failed  music    high      2      2027-01-31 11:00:00Z  2027-01-31 11:05:00Z"
                + "  0      out of memory",
            "j1  done    comfyui  normal    1      2027-01-31 10:00:00Z  -                   "
                + "  2");
  }

  @Test
  void noJobsIsSaid() {
    admin.on("GET jobs", 200, "{'jobs':[]}");

    assertThat(call("jobs").out().strip()).isEqualTo("no jobs");
  }

  @Test
  void aJobIsShownFieldByField() {
    admin.on(
        "GET jobs/j1",
        200,
        """
        {'id':'j1','state':'running','backend':'comfyui','attempts':1,'created':
        '2027-01-31T10:00:00Z','started':null,'ended':null,'progress':0.25,'error':'a warning',
        'files':['a\\u001b[31m.png']}""");

    assertThat(call("job", "j1").out().lines())
        .contains("state     running", "progress  25 %", "error     a warning")
        .contains("file      a\uFFFD[31m.png");
  }

  @Test
  void aJobThatIsNotThereIsRefusedInput() {
    admin.on("GET jobs/j9", 404, "{'error':{'code':'unknown_job','message':'there is no job j9'}}");

    Call call = call("job", "j9");

    assertThat(call.exitCode()).isEqualTo(2);
    assertThat(call.err().strip()).isEqualTo("swapgate: there is no job j9");
    assertThat(call.out()).isEmpty();
  }

  @Test
  void cancelSaysWhatBecameOfIt() {
    admin.on("DELETE jobs/j1", 200, "{'id':'j1','state':'cancelled'}");
    admin.on("DELETE jobs/j2", 200, "{'id':'j2','state':'running'}");

    assertThat(call("cancel", "j1").out().strip()).isEqualTo("job j1 is cancelled");
    assertThat(call("cancel", "j2").out().strip()).isEqualTo("job j2 will be cancelled");
  }

  @Test
  void selectTellsTheEngine() {
    admin.on("POST select", 200, "{'chat_open':false}");

    assertThat(call("select", "ninfer").out().strip())
        .isEqualTo("selected ninfer; chat is shut until it is ready");
    assertThat(admin.lastAsked().body()).isEqualTo("{\"engine\":\"ninfer\"}");
  }

  @Test
  void leaseTellsHowToEndIt() {
    admin.on("POST leases", 200, "{'id':'l1','backend':'none','until':'2027-01-31T14:00:00Z'}");

    Call call = call("lease", "none", "--for", "2h");

    assertThat(call.out().strip())
        .isEqualTo("lease l1: nobody until 2027-01-31 14:00:00Z; end it with swapgate release l1");
    assertThat(admin.lastAsked().body()).isEqualTo("{\"backend\":\"none\",\"for\":\"2h\"}");
    assertThat(call("lease", "comfyui", "--for", "soon").exitCode()).isEqualTo(2);
  }

  @Test
  void releaseFindsTheOnlyLease() {
    admin.on("GET leases", 200, "{'leases':[{'id':'l1'}]}");
    admin.on("GET leases", 200, "{'leases':[{'id':'l1'},{'id':'l2'}]}");
    admin.on("DELETE leases/l1", 200, STATUS);

    assertThat(call("release").out().strip()).isEqualTo("lease l1 is over");
    Call several = call("release");
    assertThat(several.exitCode()).isEqualTo(2);
    assertThat(several.err()).contains("there are several leases, name one: l1, l2");
  }

  @Test
  void maintenanceIsOnOrOff() {
    admin.on("POST maintenance", 200, STATUS);

    assertThat(call("maintenance", "on").exitCode()).isZero();
    assertThat(admin.lastAsked().body()).isEqualTo("{\"on\":true}");
    assertThat(call("maintenance", "off").out()).contains("decides again");
    assertThat(admin.lastAsked().body()).isEqualTo("{\"on\":false}");
    assertThat(call("maintenance", "maybe").exitCode()).isEqualTo(2);
  }

  @Test
  void historyAndLogsAreLines() {
    admin.on(
        "GET history?limit=2",
        200,
        """
        {'history':[{'at':'2027-01-31T10:00:00.5Z','what':'phase','backend':'vllm','job':'',
        'detail':'serving'}]}""");
    admin.on(
        "GET jobs/j1/log",
        200,
        """
        {'lines':[{'at':'2027-01-31T10:00:00Z','what':'job','backend':'comfyui',
        'detail':'submitted'}]}""");

    assertThat(call("history", "--limit", "2").out().strip())
        .isEqualTo("2027-01-31 10:00:00Z  phase  vllm    serving");
    assertThat(call("logs", "j1").out().strip())
        .isEqualTo("2027-01-31 10:00:00Z  job  comfyui    submitted");
  }

  @Test
  void historyShowsSwapsWithTheirStepsAndHowFarTheyWereForeseen() {
    admin.on(
        "GET history?limit=1&swaps=50",
        200,
        """
        {'swap':null,'estimates':{'swaps':1,'median_off_seconds':8.2,'worst_off_seconds':8.2},
        'swaps':[{'since':'2027-01-31T10:00:00Z','until':'2027-01-31T10:02:30Z','seconds':150.2,
        'expected_seconds':142.0,'error_seconds':-8.2,'jobs':[{'id':'a'}],
        'chat':{'refused':12,'held':3},'steps':[
        {'phase':'draining','owner':'comfyui','seconds':2.0,'free_mib':null},
        {'phase':'freeing','owner':'comfyui','seconds':1.4,'free_mib':32500}]}]}""");

    assertThat(call("history", "--swaps").out().lines())
        .containsExactly(
            "2027-01-31 10:00:00Z  150 s, expected 142 s, off by -8 s  jobs 1  refused 12  held 3",
            "    draining comfyui 2 s · freeing comfyui 1 s (32500 MiB free)",
            "foreseen to 8 s in the middle, 8 s at worst, of 1 swaps");
  }

  @Test
  void checkFailsOnAProblemAndNamesTheCommandThatMendsIt() {
    admin.on(
        "GET check",
        200,
        """
        {'findings':[{'id':'missing','severity':'problem','backend':'comfyui',
        'what':'there is no container comfyui','why':'no job can run',
        'mend':'docker compose create comfyui'},{'id':'x','severity':'note','backend':'',
        'what':'no GPU tool','why':'','mend':''}]}""");
    admin.on("GET check", 200, "{'findings':[{'severity':'warning','what':'slow'}]}");
    admin.on("GET check", 200, "{'findings':[]}");

    Call severe = call("check");
    assertThat(severe.exitCode()).isEqualTo(1);
    assertThat(severe.out().lines())
        .containsExactly(
            "problem comfyui: there is no container comfyui",
            "  why: no job can run",
            "  mend: docker compose create comfyui",
            "note: no GPU tool");
    assertThat(call("check").exitCode()).isZero();
    assertThat(call("check").out().strip())
        .isEqualTo("nothing found: a swap can go there and back");
  }

  @Test
  void versionTellsBothOrOne() {
    admin.on("GET version", 200, "{'name':'swapgate','version':'9.9'}");

    assertThat(call("version").out()).startsWith("swapgate ").contains("running: swapgate 9.9");
    assertThat(call("version", "--json", "--admin", "http://127.0.0.1:1").out())
        .doesNotContain("running");
  }
}
