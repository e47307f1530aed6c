package dev.swapgate.backends.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PretendCardTest {
  @TempDir Path directory;
  PretendCard card;

  @BeforeEach
  void newCard() {
    card = PretendCard.at(directory).withLag(Duration.ZERO);
  }

  @Test
  void refusesAClaimThatDoesNotFitBesideAnotherProcess() throws Exception {
    try (SimProcess engine = holding("vllm", 32_500)) {
      assertThat(card.freeMib()).isEqualTo(107);

      assertThatThrownBy(() -> card.claim("comfyui", 500))
          .isInstanceOf(CardException.Full.class)
          .hasMessageContaining("comfyui asked the card for 500 MiB but only 107 MiB are free");

      assertThat(card.journal().failedClaims())
          .singleElement()
          .satisfies(entry -> assertThat(entry.holder().who()).isEqualTo("comfyui"));
      assertThat(engine.alive()).isTrue();
    }
  }

  @Test
  void keepsTheClaimOfALivingProcessThroughEveryLook() throws Exception {
    try (SimProcess engine = holding("vllm", 20_000);
        Claim own = card.claim("here", 500)) {
      for (int look = 0; look < 5; look++) {
        assertThat(card.freeMib()).isEqualTo(PretendCard.TOTAL_MIB - 20_500);
        assertThat(card.reading().held())
            .extracting(held -> held.holder().who())
            .containsExactlyInAnyOrder("vllm", "here");
      }
      assertThat(own.mib()).isEqualTo(500);
      try (SimProcess other = holding("other", 12_500)) {
        assertThat(other.exitCode()).isEqualTo(1);
      }
      assertThat(engine.alive()).isTrue();
    }
  }

  @Test
  void givesBackTheMemoryOfAKilledProcess() throws Exception {
    SimProcess engine = holding("vllm", 32_500);

    engine.kill();

    assertThat(card.freeMib()).isEqualTo(PretendCard.TOTAL_MIB);
    assertThat(card.journal().entries())
        .extracting(CardJournal.Entry::event)
        .containsExactly(
            CardJournal.Event.CLAIM, CardJournal.Event.DIED, CardJournal.Event.RELEASED);
    assertThat(card.journal().entries())
        .allSatisfy(entry -> assertThat(entry.holder().pid()).isEqualTo(engine.pid()));
  }

  @Test
  void countsADeadClaimAsHeldUntilTheLagIsOver() throws Exception {
    card.withLag(Duration.ofHours(1));
    SimProcess engine = holding("vllm", 32_500);
    engine.kill();

    assertThat(card.freeMib()).isEqualTo(107);
    assertThat(card.reading().held())
        .singleElement()
        .satisfies(held -> assertThat(held.alive()).isFalse());

    card.withLag(Duration.ZERO);
    assertThat(card.freeMib()).isEqualTo(PretendCard.TOTAL_MIB);
  }

  @Test
  void growsAndShrinksAClaimAndKeepsItsLock() throws Exception {
    try (Claim media = card.claim("comfyui", 500)) {
      media.resize(20_000);
      assertThat(card.freeMib()).isEqualTo(PretendCard.TOTAL_MIB - 20_000);
      try (SimProcess engine = holding("vllm", 32_500)) {
        assertThat(engine.exitCode()).isEqualTo(1);
        assertThat(engine.output()).contains("only 12607 MiB are free");
      }

      media.resize(500);
      assertThat(card.freeMib()).isEqualTo(PretendCard.TOTAL_MIB - 500);
      assertThatThrownBy(() -> media.resize(32_608)).isInstanceOf(CardException.Full.class);
      assertThat(media.mib()).isEqualTo(500);
    }
    assertThat(card.freeMib()).isEqualTo(PretendCard.TOTAL_MIB);
  }

  @Test
  void allowsOneClaimAProcess() {
    try (Claim first = card.claim("comfyui", 500)) {
      assertThatThrownBy(() -> card.claim("music", 500))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("second claim in one process");
      assertThat(first.mib()).isEqualTo(500);
    }
  }

  @Test
  void tellsTwoOwnersFromOneAfterTheOther() throws Exception {
    try (SimProcess first = holding("vllm", 1_000)) {
      assertThat(first.alive()).isTrue();
    }
    assertThat(card.freeMib()).isEqualTo(PretendCard.TOTAL_MIB);
    try (SimProcess second = holding("comfyui", 500)) {
      assertThat(card.journal().overlaps()).isEmpty();
      try (SimProcess third = holding("music", 500)) {
        assertThat(card.journal().overlaps())
            .extracting(entry -> entry.holder().who())
            .containsExactly("music");
        assertThat(card.journal().overlaps("comfyui")).isEmpty();
        assertThat(second.pid()).isNotEqualTo(third.pid());
      }
    }
  }

  @Test
  void answersAsNvidiaSmiDoesInTheOrderAskedFor() throws Exception {
    try (SimProcess engine = holding("vllm", 32_500)) {
      assertThat(
              smi(
                  "--query-gpu=index,uuid,name,memory.total,memory.used,memory.free",
                  "--format=csv,noheader,nounits"))
          .isEqualTo("0, " + SimNvidiaSmi.UUID + ", Pretend Card 32 GB, 32607, 32500, 107\n");
      assertThat(smi("--query-gpu=memory.free,index,memory.reserved", "--format=csv"))
          .isEqualTo("memory.free, index, memory.reserved\n107 MiB, 0, 0 MiB\n");
      assertThat(
              smi(
                  "--query-compute-apps=gpu_uuid,pid,used_memory,process_name",
                  "--format=csv,noheader,nounits"))
          .isEqualTo(SimNvidiaSmi.UUID + ", " + engine.pid() + ", 32500, /sim/vllm\n");
    }
  }

  @Test
  void namesNobodyForMemoryThatADeadProcessLeftBehind() throws Exception {
    card.withLag(Duration.ofHours(1));
    holding("vllm", 32_500).kill();

    assertThat(smi("--query-gpu=memory.used", "--format=csv,noheader,nounits"))
        .isEqualTo("32500\n");
    assertThat(smi("--query-compute-apps=pid", "--format=csv,noheader,nounits")).isEmpty();
  }

  @Test
  void canBeMadeToFailAsNvidiaSmiDoes() throws Exception {
    Path fault = directory.resolve("smi-fault");

    Files.writeString(fault, "error");
    assertThat(smi("--query-gpu=memory.free")).contains("couldn't communicate");
    Files.writeString(fault, "none");
    assertThat(smi("--query-gpu=memory.free")).contains("No devices were found");
    Files.writeString(fault, "na");
    assertThat(smi("--query-gpu=memory.free", "--format=csv,noheader,nounits"))
        .isEqualTo("[N/A]\n");
    assertThat(smi("--query-gpu=memory.sorrow")).contains("not a valid field");
  }

  private SimProcess holding(String who, int mib) throws Exception {
    SimProcess process =
        SimProcess.start(
            SimHolder.class, Map.of(), directory.toString(), who, Integer.toString(mib));
    process.line(" ");
    return process;
  }

  private String smi(String... arguments) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new SimNvidiaSmi(card, new PrintStream(bytes, true, StandardCharsets.UTF_8))
        .run(List.of(arguments));
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
