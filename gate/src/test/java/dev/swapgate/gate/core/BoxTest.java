package dev.swapgate.gate.core;

import static dev.swapgate.gate.core.Boxes.COMFYUI;
import static dev.swapgate.gate.core.Boxes.MUSIC;
import static dev.swapgate.gate.core.Boxes.NINFER;
import static dev.swapgate.gate.core.Boxes.VLLM;
import static dev.swapgate.gate.core.Boxes.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class BoxTest {
  private static final Policy POLICY = Boxes.policy(seconds(0));

  @Test
  void holdsAllBackendsEnginesFirst() {
    Box box =
        new Box(
            List.of(Boxes.engine(VLLM), Boxes.engine(NINFER)),
            List.of(Boxes.media(COMFYUI, 180), Boxes.media(MUSIC, 240)),
            VLLM,
            Optional.of(NINFER),
            Optional.of(VLLM),
            POLICY);

    assertThat(box.backends())
        .extracting(Backend::id)
        .containsExactly(VLLM, NINFER, COMFYUI, MUSIC);
    assertThat(box.engines()).extracting(Engine::id).containsExactly(VLLM, NINFER);
    assertThat(box.media()).extracting(Media::id).containsExactly(COMFYUI, MUSIC);
    assertThat(box.selected()).isEqualTo(VLLM);
    assertThat(box.fallbackEngine()).contains(NINFER);
    assertThat(box.batchEngine()).contains(VLLM);
    assertThat(box.policy()).isEqualTo(POLICY);
  }

  @Test
  void findsABackendByItsNameAndKind() {
    Box box = Boxes.box();
    assertThat(box.backend(COMFYUI)).isEqualTo(Boxes.media(COMFYUI, 180));
    assertThat(box.engine(VLLM)).contains(Boxes.engine(VLLM));
    assertThat(box.engine(COMFYUI)).isEmpty();
    assertThat(box.media(COMFYUI)).isPresent();
    assertThat(box.media(VLLM)).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> box.backend(new Backend.Id("nobody")))
        .withMessageContaining("nobody");
  }

  @Test
  void refusesTwoBackendsOfOneName() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new Box(
                    List.of(Boxes.engine(VLLM)),
                    List.of(Boxes.media(VLLM, 1)),
                    VLLM,
                    Optional.empty(),
                    Optional.empty(),
                    POLICY))
        .withMessageContaining("two backends named vllm");
  }

  @Test
  void refusesNumbersThatMakeNoSense() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Backend.Id("  "))
        .withMessageContaining("must not be blank");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> budgets(0))
        .withMessageContaining("passes must be at least 1, was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Engine(VLLM, "vllm", budgets(1), Optional.empty(), 0))
        .withMessageContaining("attempts must be at least 1, was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> media(0))
        .withMessageContaining("tries must be at least 1, was 0");
    assertThat(new Engine(VLLM, "vllm", budgets(1), Optional.empty(), 1).attempts()).isOne();
    assertThat(media(1).tries()).isOne();
  }

  @Test
  void namesAreOrderedAndShownAsTheyAreWritten() {
    assertThat(NINFER).isLessThan(VLLM).hasToString("ninfer");
    assertThat(VLLM).isGreaterThan(NINFER);
  }

  private static Media media(int tries) {
    return new Media(COMFYUI, "comfyui", budgets(1), seconds(1), seconds(1), seconds(1), tries);
  }

  private static Budgets budgets(int passes) {
    return new Budgets(
        seconds(1),
        Optional.empty(),
        seconds(1),
        seconds(1),
        seconds(1),
        seconds(1),
        passes,
        OptionalLong.empty());
  }
}
