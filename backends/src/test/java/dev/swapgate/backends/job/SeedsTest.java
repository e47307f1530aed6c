package dev.swapgate.backends.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.gate.core.JobRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is to be set so that a repeat of a job gives something else. */
class SeedsTest {
  private static final ComfyUiAdapter COMFYUI =
      new ComfyUiAdapter(ScriptedServer.settings(MediaSettings.Type.COMFYUI, 1, 1));
  private static final AceStepAdapter MUSIC =
      new AceStepAdapter(ScriptedServer.settings(MediaSettings.Type.ACE_STEP, 1, 1));

  private static JobRequest request(String json, Map<String, String> set) {
    return new JobRequest(json.replace('\'', '"'), set, List.of());
  }

  @Test
  void everySeedOfAWorkflowThatStandsAsANumber() {
    JobRequest request =
        request(
            "{'3':{'class_type':'KSampler','inputs':{'seed':18446744073709551615,'steps':4}},"
                + "'4':{'class_type':'KSamplerAdvanced','inputs':{'noise_seed':1,'cfg':7}},"
                + "'5':{'class_type':'KSampler','inputs':{'seed':['9',0]}}}",
            Map.of("3.steps", "8"));

    assertThat(COMFYUI.reseeded(request, 42))
        .isEqualTo(Map.of("3.seed", "42", "4.noise_seed", "42"));
    assertThat(COMFYUI.remembersAnswers()).isTrue();
  }

  @Test
  void noneWhereNoneStands() {
    assertThat(COMFYUI.reseeded(request("{'1':{'class_type':'A','inputs':{}}}", Map.of()), 42))
        .isEmpty();
    assertThat(COMFYUI.reseeded(request("{'1':1}", Map.of()), 42)).isEmpty();
    assertThat(MUSIC.reseeded(request("{'prompt':'a waltz'}", Map.of()), 42))
        .as("the server draws its own")
        .isEmpty();
  }

  @Test
  void aSongsSeedAndThatItCounts() {
    Map<String, String> set = Map.of("seed", "42", "use_random_seed", "false");

    assertThat(MUSIC.reseeded(request("{'prompt':'a waltz','seed':7}", Map.of()), 42))
        .isEqualTo(set);
    assertThat(MUSIC.reseeded(request("{'prompt':'a waltz'}", Map.of("seed", "7")), 42))
        .isEqualTo(set);
  }
}
