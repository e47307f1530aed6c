package dev.swapgate.proxy.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Whatever two servers could read differently is refused, or reaches the engine in one form. */
class SmugglingTest {
  private static final String SECOND = "GET /second HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final Pattern STATUS = Pattern.compile("HTTP/\\d\\.\\d (\\d{3}) ");
  private static final int ONE_READ = 16 * 1024;
  private static final int AT_LEAST = 300;

  private final Map<String, String> wrong = new TreeMap<>();

  @Test
  void noAttackReachesTheEngineInTwoMeanings() throws Exception {
    List<Attack> attacks = new ArrayList<>(Attacks.generated());
    attacks.addAll(AttackFile.read("/attacks.txt"));
    assertThat(attacks).hasSizeGreaterThanOrEqualTo(AT_LEAST);
    assertThat(attacks.stream().map(Attack::name)).doesNotHaveDuplicates();
    try (StrictEngine engine = new StrictEngine();
        Street street = Street.before(engine.port())) {
      street.gate.open();
      for (Attack attack : attacks) {
        int before = engine.requests().size();
        if (attack.passes()) {
          expectPassed(attack, street, engine, before);
        } else {
          expectRefused(attack, street, engine, before);
        }
      }
      assertThat(wrong).as("of %d attacks", attacks.size()).isEmpty();
      assertThat(engine.faults()).as("unclear to a strict reader").isEmpty();
      assertThat(engine.requests())
          .as("what the engine was asked in the end")
          .hasSize(attacks.stream().mapToInt(SmugglingTest::expectedRequests).sum());
    }
  }

  private static int expectedRequests(Attack attack) {
    return attack.passed().size();
  }

  /** What must pass says itself whether the request behind it is answered too. */
  private void expectPassed(Attack attack, Street street, StrictEngine engine, int before)
      throws IOException {
    List<Integer> statuses = new ArrayList<>();
    try (Wire client = street.client()) {
      client.send(attack.bytes());
      client.send(SECOND);
      for (int i = 0; i < attack.passed().size(); i++) {
        Wire.Message head = client.head();
        statuses.add(client.rest(head.status() == 100 ? client.head() : head, false).status());
      }
    } catch (IOException | AssertionError e) {
      wrong.put(attack.name(), "not passed: " + statuses + " " + e.getMessage());
      return;
    }
    List<String> came = since(engine, before);
    if (!came.equals(attack.passed()) || statuses.stream().anyMatch(status -> status != 200)) {
      wrong.put(attack.name(), "came as " + came + ", answered " + statuses);
    }
  }

  private void expectRefused(Attack attack, Street street, StrictEngine engine, int before)
      throws IOException {
    String answer;
    try (Wire client = street.client()) {
      client.send(attack.bytes());
      client.send(SECOND);
      client.socket.shutdownOutput();
      answer = new String(client.in.readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      answer = "";
    } catch (AssertionError e) {
      answer = e.getMessage();
    }
    List<String> told = STATUS.matcher(answer).results().map(m -> m.group(1)).toList();
    List<String> expected =
        attack.status() == 0 ? List.of() : List.of(Integer.toString(attack.status()));
    List<String> came = since(engine, before);
    if (answer.isEmpty() && attack.bytes().length > ONE_READ) {
      // Bytes that nobody reads any more turn the end of the connection into a reset.
      told = expected;
    }
    boolean ours = answer.isEmpty() || answer.contains("\r\nX-Swapgate-Answered-By: gate\r\n");
    if (!told.equals(expected) || !came.isEmpty() || !ours) {
      wrong.put(attack.name(), "came as " + came + ", told " + told + (ours ? "" : " by nobody"));
    }
  }

  private static List<String> since(StrictEngine engine, int before) {
    return List.copyOf(engine.requests().subList(before, engine.requests().size()));
  }
}
