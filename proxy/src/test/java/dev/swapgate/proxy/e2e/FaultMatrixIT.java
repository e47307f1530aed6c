package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The sample of the matrix, each cell a test. The cells run in a process of their own, in a network
 * namespace with a daemon of their own; {@code scripts/soak --matrix} runs all of them.
 */
class FaultMatrixIT {
  private static final long LIMIT_SECONDS = 900;

  @TempDir Path folder;

  @TestFactory
  Stream<DynamicTest> heals() throws Exception {
    Simulators.assumeThere();
    assumeTrue(
        System.getProperty("user.name").equals("root") || Program.isOk("sudo", "-n", "true"),
        "namespaces need root");
    String said = run();
    return FaultMatrix.SAMPLE.stream()
        .map(cell -> DynamicTest.dynamicTest(cell.toString(), () -> assertHeld(cell, said)));
  }

  private static void assertHeld(FaultMatrix.Cell cell, String said) {
    Optional<String> line = said.lines().filter(one -> one.startsWith(cell + ": ")).findFirst();
    assertThat(line).as(said).isPresent();
    assertThat(line.get()).as(said).startsWith(cell + ": ok");
  }

  private String run() throws Exception {
    List<String> command =
        List.of(
            "bash",
            "-c",
            ". \"$0\"; netns_exec \"$@\"",
            Simulators.checkout().resolve("scripts/lib/netns.sh").toString(),
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            SoakMain.class.getName(),
            "matrix",
            "sample");
    Path said = folder.resolve("said");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    try {
      assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS))
          .as("an end within %d s; it said %s", LIMIT_SECONDS, Files.readString(said))
          .isTrue();
    } finally {
      process.destroy();
    }
    return Files.readString(said);
  }
}
