package dev.swapgate.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What is wrong with the description of a media server is told with line and path. */
class RecipeProblemsTest {
  private final Refused refused = new Refused(Path.of("/"));

  @Test
  void whatIsMissingIsAllNamed() {
    assertThat(refused.inMedia("type: sync_http"))
        .containsExactly(
            "f.yaml:5: media.m.call: is missing; describe the request that does a job",
            "f.yaml:5: media.m.call.path: is missing; name the request's path, like /jobs");
    assertThat(refused.inMedia("type: submit_poll_fetch", "submit: {path: /a}", "poll: {path: /b}"))
        .containsExactlyInAnyOrder(
            "f.yaml:6: media.m.submit.id: is missing; name where the answer tells the job's id",
            "f.yaml:7: media.m.poll.state: is missing; name where the answer tells what the job is"
                + " doing",
            "f.yaml:7: media.m.poll.done: is missing; name the words that mean a job is done, like"
                + " [completed]",
            "f.yaml:5: media.m.fetch: is missing; describe how the files of a job are got",
            "f.yaml:5: media.m.fetch: names no file; give path, like /files/{id}, or at, where the"
                + " poll's answer names them");
  }

  @Test
  void anUnknownKeyIsToldInEveryPart() {
    assertThat(
            refused.inMedia(
                "type: sync_http",
                "call: {path: /a, sent: json}",
                "result: {names: a}",
                "submit: {path: /b}"))
        .containsExactly(
            "f.yaml:6: media.m.call.sent: is not a known key; did you mean send?",
            "f.yaml:7: media.m.result.names: is not a known key; did you mean name?",
            "f.yaml:8: media.m.submit: is not a known key; known here: type, needs,"
                + " defaults, call, result, progress, idle, cancel, readiness, container, url,"
                + " stop_grace_period, vram, release, start, generation, job_budget, no_progress,"
                + " tries, max_file, api_key, api_key_file, door, door_idle");
  }

  @Test
  void aTemplateThatNamesWhatNothingGivesIsTold() {
    assertThat(
            refused.inMedia(
                "type: sync_http",
                "needs: [prompt]",
                "call:",
                "  path: /a/{modell}",
                "  body: {text: \"{promt}\"}",
                "cancel: {path: \"/stop/{id}\"}"))
        .containsExactly(
            "f.yaml:8: media.m.call.path: names {modell}, which nothing gives; put it into needs or"
                + " defaults (known: prompt, request)",
            "f.yaml:9: media.m.call.body: names {promt}, which nothing gives; put it into needs or"
                + " defaults (known: prompt, request)",
            "f.yaml:10: media.m.cancel.path: names {id}, which nothing gives; no value is known"
                + " here");
  }

  @Test
  void aPlaceInABodyIsNamedWithItsLine() {
    assertThat(
            refused.inMedia(
                "type: sync_http",
                "call:",
                "  path: /a",
                "  body:",
                "    one: \"{\"",
                "    two: {request}",
                "    three:",
                "      - ${WORD}"))
        .contains(
            "f.yaml:9: media.m.call.body.one: \"{\" has a brace that names nothing; write {name},"
                + " or {{ and }} for braces",
            "f.yaml:10: media.m.call.body.two: is a map to YAML; put quotes around it:"
                + " \"{request}\"",
            "f.yaml:12: media.m.call.body.three[0]: " + BodyReader.NO_VARIABLES);
  }

  @Test
  void pathsIntoJsonAndOfUrlsAreChecked() {
    assertThat(
            refused.inMedia(
                "type: sync_http",
                "call: {path: a b, method: FETCH, send: xml, headers: {Host: x}}",
                "result: {base64: \"images[\", extension: p/g, name: ../x}"))
        .containsExactlyInAnyOrder(
            "f.yaml:6: media.m.call.path: is no path; write for example /jobs/{id}",
            "f.yaml:6: media.m.call.method: \"FETCH\" is none of GET, POST, PUT, PATCH, DELETE",
            "f.yaml:6: media.m.call.send: \"xml\" is not known; use json or multipart",
            "f.yaml:6: media.m.call.headers.Host: follows from the request itself; remove it",
            "f.yaml:7: media.m.result.base64: \"images[\" is no path into JSON at \"[\"; write for"
                + " example data[0].id or images[*]",
            "f.yaml:7: media.m.result.extension: \"p/g\" is none; write for example png",
            "f.yaml:7: media.m.result.name: cannot be the name of a file; use letters, digits, . _"
                + " -");
  }

  @Test
  void whatContradictsItselfIsTold() {
    assertThat(
            refused.inMedia(
                "type: sync_http",
                "needs: [a]",
                "defaults: {a: 1}",
                "call: {method: GET, path: /a, upload: file}",
                "result: {base64: images}",
                "idle: {path: /i, at: x}"))
        .containsExactly(
            "f.yaml:7: media.m.defaults.a: is in needs too; what has a default need not be given",
            "f.yaml:8: media.m.call.upload: needs a name, and a request with a body to put files"
                + " into",
            "f.yaml:9: media.m.result.base64: needs an extension beside it, for base64 does not"
                + " tell; for example png",
            "f.yaml:10: media.m.idle.values: is missing; name what means idle");
    assertThat(
            refused.inMedia(
                "type: submit_poll_fetch",
                "submit: {path: /a, id: id}",
                "poll: {path: \"/a/{id}\", state: s, done: [x], failed: [x]}",
                "fetch: {path: \"/f/{item}\"}"))
        .containsExactly(
            "f.yaml:7: media.m.poll.failed: \"x\" stands in done too",
            "f.yaml:8: media.m.fetch.path: names {item}, which nothing gives; known here: id");
  }

  @Test
  void whatAContainerThatRunsToItsExitCannotHaveIsTold() {
    assertThat(
            refused.afterAnEngine(
                "media:",
                "  m:",
                "    type: exec",
                "    container: m",
                "    work_dir: srv",
                "    results: ../x",
                "    files: {request.json: a, b: '{c}'}",
                "    readiness: {path: /health}"))
        .containsExactlyInAnyOrder(
            "f.yaml:7: media.m.work_dir: must be a whole path, like /srv/yue",
            "f.yaml:8: media.m.results: must be the name of a folder in work_dir, like out",
            "f.yaml:9: media.m.files.request.json: cannot be the name of a file beside"
                + " request.json, in and results",
            "f.yaml:9: media.m.files.b: names {c}, which nothing gives; put it into needs or"
                + " defaults (known: request)",
            "f.yaml:10: media.m.readiness: is not a known key; known here: type, needs, defaults,"
                + " work_dir, results, files, inside, container, stop_grace_period, vram, release,"
                + " start, generation, job_budget, no_progress, tries, max_file");
  }
}
