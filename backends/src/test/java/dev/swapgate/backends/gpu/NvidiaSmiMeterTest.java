package dev.swapgate.backends.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.backends.settings.CardSettings;
import dev.swapgate.gate.core.CardReading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NvidiaSmiMeterTest {
  private static final String CARD = "0, GPU-aa, NVIDIA GeForce RTX 5090, 32607, 500, 31900";
  private static final String ID = "0123456789abcdef".repeat(4);

  @TempDir private Path folder;
  private Path tool;
  private Path processes;

  @BeforeEach
  void prepare() throws IOException {
    tool = folder.resolve("nvidia-smi");
    processes = Files.createDirectory(folder.resolve("proc"));
  }

  /** A stand-in that answers each of the two questions with a fixed text. */
  private void answering(String cards, String apps) throws IOException {
    script(
        """
        case "$1" in
          --query-gpu=index,uuid,driver_version) echo "0, GPU-aa, 580.65.06" ;;
          --query-gpu=*) echo "%s" ;;
          --query-compute-apps=*) echo "%s" ;;
        esac
        """
            .formatted(cards, apps));
  }

  private void script(String body) throws IOException {
    Path written = folder.resolve("written");
    Files.writeString(written, "#!/bin/sh\n" + body);
    Files.setPosixFilePermissions(written, PosixFilePermissions.fromString("rwx------"));
    Files.deleteIfExists(tool);
    Files.move(written, tool);
  }

  private NvidiaSmiMeter meter() {
    return meter(OptionalInt.empty(), Optional.empty());
  }

  private NvidiaSmiMeter meter(OptionalInt index, Optional<String> uuid) {
    return new NvidiaSmiMeter(
        new CardSettings(index, uuid, tool.toString()), processes, Duration.ofSeconds(30));
  }

  private static String failure(CardReading reading) {
    assertThat(reading).isInstanceOf(CardReading.Failed.class);
    return ((CardReading.Failed) reading).reason();
  }

  @Test
  void readsTotalAndFree() throws IOException {
    answering(CARD, "");

    assertThat(meter().read()).isEqualTo(new CardReading.Sample(32607, 31900, List.of()));
  }

  @Test
  void namesWhoHoldsMemory() throws IOException {
    answering(CARD, "GPU-aa, 4711, 3200, /usr/bin/python3\nGPU-bb, 4712, 100, /other/card");
    Files.createDirectory(processes.resolve("4711"));
    Files.writeString(
        processes.resolve("4711/cgroup"), "0::/system.slice/docker-" + ID + ".scope\n");

    assertThat(meter().read())
        .isEqualTo(
            new CardReading.Sample(
                32607, 31900, List.of(new CardReading.Holder(4711, 3200, ID, "/usr/bin/python3"))));
  }

  @Test
  void namesHoldersOfAToolThatDoesNotTellProcessNames() throws IOException {
    script(
        """
        case "$1" in
          --query-gpu=*) echo "%s" ;;
          --query-compute-apps=gpu_uuid,pid,used_memory) echo "GPU-aa, 12, 500" ;;
          *) echo "Field is not a valid field to query."; exit 2 ;;
        esac
        """
            .formatted(CARD));

    assertThat(meter().read())
        .isEqualTo(
            new CardReading.Sample(32607, 31900, List.of(new CardReading.Holder(12, 500, "", ""))));
  }

  @Test
  void readsFreeMemoryThoughTheProcessListFails() throws IOException {
    script("case \"$1\" in --query-gpu=*) echo \"" + CARD + "\" ;; *) exit 9 ;; esac\n");

    assertThat(meter().read()).isEqualTo(new CardReading.Sample(32607, 31900, List.of()));
  }

  @Test
  void countsAProcessWhoseMemoryIsHidden() throws IOException {
    answering(CARD, "GPU-aa, 12, [N/A], [Not Found]");

    assertThat(((CardReading.Sample) meter().read()).holders())
        .containsExactly(new CardReading.Holder(12, 0, "", "[Not Found]"));
  }

  @Test
  void failsWhenTheCardTellsNoMemory() throws IOException {
    answering("0, GPU-aa, NVIDIA GB10, [N/A], [N/A], [N/A]", "");

    assertThat(failure(meter().read())).contains("tells no memory of card 0 NVIDIA GB10");
  }

  @Test
  void failsWhenNoDevicesWereFound() throws IOException {
    script("echo 'No devices were found'; exit 6\n");

    assertThat(failure(meter().read())).contains("exit code 6: No devices were found");
  }

  @Test
  void failsWhenASentenceComesWithExitCodeZero() throws IOException {
    script("echo 'Failed to initialize NVML: Unknown Error'\n");

    assertThat(failure(meter().read()))
        .contains("lists no card: Failed to initialize NVML: Unknown Error");
  }

  @Test
  void failsWhenTheToolWritesItsTroubleToStandardError() throws IOException {
    script("echo 'couldn'\"'\"'t communicate with the NVIDIA driver' >&2; exit 9\n");

    assertThat(failure(meter().read())).contains("exit code 9: couldn't communicate");
  }

  @Test
  void killsAToolThatHangsWithAllItStarted() throws Exception {
    script("echo $$ > " + folder + "/pid\nsleep 600 &\necho $! > " + folder + "/child\nwait\n");
    NvidiaSmiMeter meter =
        new NvidiaSmiMeter(
            new CardSettings(OptionalInt.empty(), Optional.empty(), tool.toString()),
            processes,
            Duration.ofSeconds(2));

    assertThat(failure(meter.read())).contains("did not answer within 2000 ms; killed");

    for (String file : List.of("pid", "child")) {
      long pid = Long.parseLong(Files.readString(folder.resolve(file)).strip());
      Optional<ProcessHandle> left = ProcessHandle.of(pid);
      if (left.isPresent()) {
        left.get().onExit().get(10, TimeUnit.SECONDS);
      }
    }
  }

  @Test
  void hasNoToolUntilOneAppears() throws IOException {
    NvidiaSmiMeter meter = meter();

    assertThat(meter.read()).isInstanceOf(CardReading.NoTool.class);

    answering(CARD, "");
    assertThat(meter.read()).isInstanceOf(CardReading.Sample.class);
  }

  @Test
  void failsWhenAToolThatAnsweredVanishes() throws IOException {
    answering(CARD, "");
    NvidiaSmiMeter meter = meter();
    meter.read();

    Files.delete(tool);

    assertThat(failure(meter.read())).contains("though it answered before");
  }

  @Test
  void looksForTheToolOnTheSearchPath() {
    NvidiaSmiMeter meter =
        new NvidiaSmiMeter(
            new CardSettings(OptionalInt.empty(), Optional.empty(), "no-such-program-here"));

    assertThat(meter.read())
        .isEqualTo(new CardReading.NoTool("no program no-such-program-here on this machine"));
  }

  @Test
  void choosesTheCardByIndexByUuidElseTheLargest() throws IOException {
    answering("0, GPU-aa, Small, 8192, 0, 8000\n1, GPU-bb, Large, 32607, 0, 32000", "");

    assertThat(total(meter())).isEqualTo(32607);
    assertThat(total(meter(OptionalInt.of(0), Optional.empty()))).isEqualTo(8192);
    assertThat(total(meter(OptionalInt.empty(), Optional.of("gpu-AA")))).isEqualTo(8192);
    assertThat(failure(meter(OptionalInt.of(7), Optional.empty()).read()))
        .contains("no card with index 7")
        .contains("0 Small GPU-aa; 1 Large GPU-bb");
  }

  private static long total(NvidiaSmiMeter meter) {
    return ((CardReading.Sample) meter.read()).totalMib();
  }

  @Test
  void tellsWhatTheCardIs() throws IOException {
    answering(CARD, "");

    assertThat(meter().facts())
        .contains(new CardFacts("NVIDIA GeForce RTX 5090", "GPU-aa", "580.65.06", 32607));
  }
}
