package dev.swapgate.backends.sim;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A model that is a command line, as YuE's {@code infer.py}: it reads {@code genre.txt} and {@code
 * lyrics.txt} in its folder, holds the card for a while, leaves a song in {@code out} and ends. The
 * genre steers it: {@code sim:error} ends it with code 3, {@code sim:hang} never ends. With the
 * argument {@code frees} a good end gives the memory back first; else the card notices it with its
 * lag.
 */
public final class SimInfer {
  private static final int JOB_MIB = 24_000;
  private static final int STEPS = 8;

  private SimInfer() {}

  public static void main(String[] arguments) {
    try {
      System.exit(run(SimSettings.ofThisProcess(), List.of(arguments).contains("frees")));
    } catch (CardException.Full e) {
      System.err.println("CUDA out of memory. " + e.getMessage());
      System.exit(1);
    } catch (IOException e) {
      System.err.println(e);
      System.exit(2);
    }
  }

  private static int run(SimSettings settings, boolean frees) throws IOException {
    Path work = Path.of(settings.text("SIM_WORK", "/work"));
    Optional<Claim> claim =
        settings
            .card()
            .map(
                card ->
                    card.claim(
                        settings.text("SIM_NAME", "infer"),
                        settings.number("SIM_JOB_MIB", JOB_MIB)));
    String genre = Files.readString(work.resolve("genre.txt"));
    String lyrics = Files.readString(work.resolve("lyrics.txt"));
    System.out.println("stage 1, " + claim.map(Claim::mib).orElse(0) + " MiB");
    for (int step = 0; step < STEPS; step++) {
      Pause.of(settings.duration("SIM_STEP_TIME", Duration.ofMillis(50)));
    }
    if (genre.contains("sim:hang")) {
      Pause.forEver();
    }
    if (genre.contains("sim:error")) {
      System.err.println("a failure was asked for by the genre");
      return 3;
    }
    Path out = Files.createDirectories(work.resolve("out/vocoder"));
    Files.write(out.resolve("song.mp3"), expectedSong(genre, lyrics));
    if (frees) {
      claim.ifPresent(Claim::close);
    }
    return 0;
  }

  /** The bytes of the song that this request gives. */
  public static byte[] expectedSong(String genre, String lyrics) {
    return Sound.wav(genre + "\n" + lyrics);
  }
}
