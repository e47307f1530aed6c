package dev.swapgate.proxy.fallback;

import static dev.swapgate.proxy.fallback.Ends.answered;
import static dev.swapgate.proxy.fallback.Ends.at;
import static dev.swapgate.proxy.fallback.Ends.pool;
import static dev.swapgate.proxy.fallback.Ends.provider;
import static dev.swapgate.proxy.fallback.Ends.status;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ProviderPoolTest {

  private static final String CHAT = "/v1/chat/completions";
  private static final ProviderRules RULES = ProviderRules.standard();

  private static Selection ask(ProviderPool pool, String model, long second) {
    return pool.choose(CHAT, Optional.of(model), Set.of(), at(second));
  }

  private static Choice chosen(Selection selection) {
    assertThat(selection).isInstanceOf(Selection.Chosen.class);
    return ((Selection.Chosen) selection).choice();
  }

  private static String whom(ProviderPool pool, String model, long second) {
    Choice choice = chosen(ask(pool, model, second));
    return choice.provider().name() + ":" + choice.key().name();
  }

  private static void report(ProviderPool pool, ProviderEnd end, long second) {
    Choice choice = chosen(ask(pool, "m", second));
    pool.report(choice, end, at(second).steady(), at(second));
  }

  private static Selection cooling(long seconds) {
    return new Selection.Cooling(Duration.ofSeconds(seconds));
  }

  @Nested
  class AloneWithOneKey {
    private final ProviderPool pool = pool(provider("a", RULES, "one"));

    @Test
    void aLimitSetsItAsideUntilTheRemainderIsOver() {
      report(pool, status(429), 0);

      assertThat(ask(pool, "m", 1)).isEqualTo(cooling(59));
      assertThat(ask(pool, "m", 59)).isEqualTo(cooling(1));
      assertThat(whom(pool, "m", 60)).isEqualTo("a:one");
    }

    @Test
    void aFaultDoesNot() {
      for (int i = 0; i < 5; i++) {
        report(pool, status(503), i);
      }

      assertThat(whom(pool, "m", 5)).isEqualTo("a:one");
    }

    @Test
    void isNotAskedTwiceForOneRequestThatItFailed() {
      Choice choice = chosen(ask(pool, "m", 0));
      pool.report(choice, status(503), at(0).steady(), at(0));

      Set<CooldownKey> tried = Set.of(choice.covered(Cover.PROVIDER));
      assertThat(pool.choose(CHAT, Optional.of("m"), tried, at(0)))
          .isEqualTo(new Selection.Nobody());
    }

    @Test
    void aModelThatIsGoneIsNotAskedForUntilCleared() {
      report(pool, status(410), 0);

      assertThat(ask(pool, "m", 1_000_000)).isEqualTo(new Selection.Nobody());
      assertThat(whom(pool, "other", 1)).isEqualTo("a:one");
      assertThat(pool.clear("a:m", at(2).steady())).isTrue();
      assertThat(whom(pool, "m", 3)).isEqualTo("a:one");
    }

    @Test
    void aModelsLimitLeavesTheOthers() {
      ProviderPool byModel = pool(provider("a", Ends.limiting(Cover.MODEL), "one"));
      report(byModel, status(429), 0);

      assertThat(ask(byModel, "m", 1)).isEqualTo(cooling(59));
      assertThat(whom(byModel, "other", 1)).isEqualTo("a:one");
    }

    @Test
    void clearingEndsALimit() {
      report(pool, status(429), 0);

      assertThat(pool.clear("a", at(1).steady())).isFalse();
      assertThat(pool.clear("a:one", at(1).steady())).isTrue();
      assertThat(pool.clear("a:one", at(1).steady())).isFalse();
      assertThat(whom(pool, "m", 1)).isEqualTo("a:one");
    }

    @Test
    void aShorterLimitDoesNotShortenALongerOne() {
      Choice choice = chosen(ask(pool, "m", 0));
      pool.report(choice, answered(429, "", "100", ""), at(0).steady(), at(0));
      pool.report(choice, answered(429, "", "5", ""), at(0).steady(), at(0));
      pool.report(choice, status(503), at(0).steady(), at(1));

      assertThat(ask(pool, "m", 10)).isEqualTo(cooling(90));
    }

    /** It was sent before the limit was met, and says nothing about it. */
    @Test
    void anOlderCallsSuccessDoesNotEndALimit() {
      Choice choice = chosen(ask(pool, "m", 0));
      pool.report(choice, status(429), at(5).steady(), at(6));
      pool.report(choice, status(200), at(1).steady(), at(7));

      assertThat(ask(pool, "m", 8)).isEqualTo(cooling(58));
    }
  }

  @Nested
  class WithTwoKeys {
    private final ProviderPool pool = pool(provider("a", RULES, "one", "two"));

    @Test
    void oneIsSetAsideAndTheOtherAnswers() {
      report(pool, status(429), 0);

      assertThat(whom(pool, "m", 1)).isEqualTo("a:two");
      assertThat(whom(pool, "m", 60)).isEqualTo("a:one");
    }

    @Test
    void allCoolingNamesTheSmallestRemainder() {
      report(pool, answered(429, "", "200", ""), 0);
      report(pool, answered(429, "", "50", ""), 0);

      assertThat(ask(pool, "m", 10)).isEqualTo(cooling(40));
    }

    @Test
    void aFaultOfTheProviderIsNoReasonToTryItsOtherKey() {
      Choice choice = chosen(ask(pool, "m", 0));
      pool.report(choice, status(503), at(0).steady(), at(0));

      Set<CooldownKey> tried = Set.of(choice.covered(Cover.PROVIDER));
      assertThat(pool.choose(CHAT, Optional.of("m"), tried, at(0)))
          .isEqualTo(new Selection.Nobody());
      assertThat(whom(pool, "m", 1)).isEqualTo("a:one");
    }
  }

  @Nested
  class WithAnother {
    private final ProviderPool pool =
        pool(
            provider("a", RULES, Map.of("m", "big", "only-a", "big"), "one"),
            provider("b", RULES, Map.of("m", "small"), "one"));

    @Test
    void aFaultPassesTheRequestToTheNext() {
      report(pool, status(503), 0);

      assertThat(whom(pool, "m", 1)).isEqualTo("b:one");
      assertThat(whom(pool, "m", 120)).isEqualTo("a:one");
    }

    /** It is one of two, but the only one that has that model. */
    @Test
    void aFaultDoesNotSetAsideTheOnlyOneForWhatIsAsked() {
      report(pool, status(503), 0);

      assertThat(whom(pool, "only-a", 1)).isEqualTo("a:one");
    }

    @Test
    void bothAtFaultAreLeftAlone() {
      report(pool, status(503), 0);
      report(pool, status(500), 0);

      assertThat(ask(pool, "m", 10)).isEqualTo(cooling(20));
    }

    @Test
    void aFaultIsRiskedWhenTheOtherOneIsLimited() {
      report(pool, status(503), 0);
      report(pool, status(429), 0);

      assertThat(whom(pool, "m", 1)).isEqualTo("a:one");
    }

    @Test
    void failuresInARowCostMoreUntilOneSucceeds() {
      report(pool, status(500), 0);
      report(pool, status(500), 30 + 0);
      assertThat(whom(pool, "m", 89)).isEqualTo("b:one");
      assertThat(whom(pool, "m", 90)).isEqualTo("a:one");

      report(pool, status(200), 90);
      report(pool, status(500), 91);
      assertThat(whom(pool, "m", 121)).isEqualTo("a:one");
    }

    /** Ten requests under way when it dies are one failure, not ten. */
    @Test
    void failuresOfTheSameMomentCountOnce() {
      Choice choice = chosen(ask(pool, "m", 0));
      for (int i = 0; i < 10; i++) {
        pool.report(choice, status(500), at(0).steady(), at(1));
      }

      assertThat(whom(pool, "m", 31)).isEqualTo("a:one");
    }

    @Test
    void aModelNobodyHasIsNobodys() {
      assertThat(ask(pool, "x", 0)).isEqualTo(new Selection.Nobody());
      assertThat(pool.choose("/v1/embeddings", Optional.of("m"), Set.of(), at(0)))
          .isEqualTo(new Selection.Nobody());
    }

    @Test
    void theModelIsTheProvidersOwn() {
      assertThat(chosen(ask(pool, "m", 0)).model()).contains("big");
    }
  }

  @Test
  void chanceOnlyLengthensACooldown() {
    SplittableRandom random = new SplittableRandom(6);
    for (int i = 0; i < 200; i++) {
      ProviderPool pool =
          new ProviderPool(List.of(provider("a", RULES, "one")), false, random::nextDouble);
      report(pool, answered(429, "", "100", ""), 0);
      Duration left = ((Selection.Cooling) ask(pool, "m", 0)).left();
      assertThat(left).isBetween(Duration.ofSeconds(100), Duration.ofSeconds(110));
    }
  }

  @Test
  void weightsShareTheRequests() {
    Provider heavy =
        new Provider(
            "heavy",
            provider("heavy", RULES, "k").url(),
            Provider.Api.OPENAI,
            List.of(new Provider.Key("k", "")),
            Map.of(),
            Provider.Api.OPENAI.paths(),
            Map.of(),
            3,
            Provider.Timeouts.standard(),
            RULES);
    SplittableRandom random = new SplittableRandom(7);
    ProviderPool pool =
        new ProviderPool(List.of(heavy, provider("light", RULES, "k")), true, random::nextDouble);
    Map<String, Integer> asked = new HashMap<>();
    for (int i = 0; i < 4000; i++) {
      asked.merge(chosen(ask(pool, "m", 0)).provider().name(), 1, Integer::sum);
    }

    assertThat(asked.get("heavy")).isBetween(2850, 3150);
  }

  /** The configuration was read again. */
  @Test
  void whatIsKnownOfAnUnchangedProviderIsKept() {
    Provider same = provider("a", RULES, "one");
    ProviderPool before = pool(same, provider("b", RULES, "one"));
    report(before, answered(429, "", "100", ""), 0);
    report(before, answered(429, "", "50", ""), 0);
    ProviderPool after = pool(same, provider("b", RULES, "other"));
    after.adopt(before);

    assertThat(after.cooling(at(1).steady()))
        .extracting(one -> one.key().text())
        .containsExactly("a:one");
    assertThat(whom(after, "m", 1)).isEqualTo("b:other");
  }

  /** Clients name the models, and there may be any number of names. */
  @Test
  void namesOfModelsDoNotFillTheMemory() {
    ProviderPool pool = pool(provider("a", Ends.limiting(Cover.MODEL), "one"));
    for (int i = 0; i < 5000; i++) {
      Choice choice = chosen(ask(pool, "m" + i, 0));
      pool.report(choice, status(429), at(0).steady(), at(0));
    }

    assertThat(pool.cooling(at(1).steady())).hasSizeLessThanOrEqualTo(1000);
  }
}
