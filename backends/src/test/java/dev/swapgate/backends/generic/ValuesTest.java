package dev.swapgate.backends.generic;

import static dev.swapgate.backends.generic.Recipes.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.backends.media.Json;
import dev.swapgate.backends.recipe.BodyTemplate;
import dev.swapgate.backends.recipe.Call;
import dev.swapgate.backends.recipe.Inputs;
import dev.swapgate.backends.recipe.JsonPath;
import dev.swapgate.backends.recipe.TextTemplate;
import dev.swapgate.gate.core.JobRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Values of jobs in their places. */
class ValuesTest {
  private static final Inputs INPUTS =
      new Inputs(Set.of("prompt"), Map.of("steps", "20", "style", "{\"name\": \"plain\"}"));

  private static Values values(String json, Map<String, String> set, BodyTemplate body) {
    return Submitted.values(new JobRequest(json, set, List.of()), INPUTS, call(body));
  }

  private static Call call(BodyTemplate body) {
    return Recipes.call("POST", "/do", Optional.of(body));
  }

  private static final BodyTemplate BODY =
      new BodyTemplate.Items(
          List.of(text("a {prompt}, {steps}"), text("{steps}"), text("{style}"), text("{prompt}")));

  @Test
  void aValueAloneKeepsItsTypeAndOneInATextIsText() {
    assertThat(values("{\"prompt\":\"hill\"}", Map.of(), BODY).body(BODY))
        .hasToString("[\"a hill, 20\",20,{\"name\":\"plain\"},\"hill\"]");
  }

  @Test
  void noValueCanChangeTheShapeOfTheBody() {
    String evil = "\",\"admin\":true,{steps}\\";
    JobRequest request = new JobRequest("{}", Map.of("prompt", evil), List.of());
    Values values = Submitted.values(request, INPUTS, call(BODY));

    assertThat(values.body(BODY).path(3).textValue()).isEqualTo(evil);
    assertThat(values.path(TextTemplate.parse("/a/{prompt}?b={prompt}")))
        .isEqualTo(
            "/a/%22%2C%22admin%22%3Atrue%2C%7Bsteps%7D%5C?b=%22%2C%22admin%22%3Atrue%2C%7Bsteps%7D%5C");
  }

  @Test
  void whatIsSetTakesTheTypeOfWhatWasThereAndReachesInside() {
    Map<String, String> set = Map.of("steps", "8", "style.name", "odd", "prompt", "7");

    assertThat(values("{\"prompt\":\"hill\"}", set, BODY).body(BODY))
        .hasToString("[\"a 7, 8\",8,{\"name\":\"odd\"},\"7\"]");
    assertThat(
            Submitted.refusal(
                new JobRequest("{\"prompt\":\"x\"}", Map.of("steps", "many"), List.of()),
                INPUTS,
                call(BODY)))
        .hasValue("steps holds a number (20); 'many' is none");
  }

  @Test
  void whatNoTemplateHasAPlaceForIsRefused() {
    JobRequest request = new JobRequest("{\"prompt\":\"x\",\"stepz\":1}", Map.of(), List.of());

    assertThat(Submitted.refusal(request, INPUTS, call(BODY)))
        .hasValue("this backend has no use for 'stepz'; it takes: prompt, steps, style");
    assertThat(Submitted.refusal(request, INPUTS, call(text("{request}")))).isEmpty();
    assertThat(Submitted.refusal(request, INPUTS, Recipes.post("/do"))).isEmpty();
  }

  @Test
  void filesWithoutAPlaceAndNonsenseAreRefused() {
    JobRequest.Attachment file = new JobRequest.Attachment("a", "/tmp/a");

    assertThat(
            Submitted.refusal(
                new JobRequest("{\"prompt\":\"x\"}", Map.of(), List.of(file)),
                INPUTS,
                Recipes.post("/do")))
        .hasValueSatisfying(reason -> assertThat(reason).contains("takes no files"));
    assertThat(Submitted.refusal(Recipes.request("[1]"), INPUTS, Recipes.post("/do")))
        .hasValue("the request must be a JSON object");
  }

  @Test
  void likeRequestsHaveOneShape() {
    String shape = values("{\"prompt\":\"hill\",\"seed\":1}", Map.of(), text("{request}")).shape();

    assertThat(values("{\"prompt\":\"moor\",\"seed\":2}", Map.of(), text("{request}")).shape())
        .isEqualTo(shape);
    assertThat(values("{\"prompt\":\"hill\",\"steps\":50}", Map.of(), text("{request}")).shape())
        .isNotEqualTo(shape);
  }

  @Test
  void aPathLooksIntoJsonInsideAString() {
    var answer = Json.maybe("{\"a\":[{\"b\":\"[{\\\"c\\\":1},{\\\"c\\\":2}]\"}]}").orElseThrow();

    assertThat(Found.all(answer, JsonPath.parse("a[0].b[*].c"))).hasToString("[1, 2]");
    assertThat(Found.text(answer, JsonPath.parse("a[1].b"))).isEmpty();
    assertThat(Found.text(answer, JsonPath.parse("a[*].x.y"))).isEmpty();
  }
}
