package dev.swapgate.backends.sim;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A card that is a directory, shared by processes and containers.
 *
 * <p>Under a mutex file each process makes one claim, a file whose lock it keeps for life. Whoever
 * looks and can take that lock knows that the process is gone; its memory counts as held until the
 * lag after that was first seen, as a driver needs a moment too. Safe for use by any thread.
 */
public final class PretendCard {
  /** What a real 32 GB card shows as {@code memory.total} (DESIGN.md, section 10). */
  public static final int TOTAL_MIB = 32_607;

  /**
   * Ollama's scheduler, written for this, expects 0.5 to 1.5 s on real drivers; half the low end.
   */
  private static final Duration DEFAULT_LAG = Duration.ofMillis(250);

  /** Known by heart: even reading such a file and closing it again would give up its lock. */
  private static final Map<Path, Holder> CLAIMS_OF_THIS_PROCESS = new ConcurrentHashMap<>();

  private final Path directory;
  private final CardMutex mutex;
  private final CardJournal journal;

  private PretendCard(Path directory) {
    this.directory = directory;
    this.mutex = CardMutex.of(directory);
    this.journal = new CardJournal(directory);
  }

  /** The card in this directory, which is made if it is not there yet. */
  public static PretendCard at(Path directory) {
    try {
      Files.createDirectories(directory);
      return new PretendCard(directory.toRealPath());
    } catch (IOException e) {
      throw new CardException("could not make or find the card's directory " + directory, e);
    }
  }

  /** Sets how long a dead process's memory stays held, for everyone who uses this card. */
  public PretendCard withLag(Duration lag) {
    try {
      Path file = directory.resolve("lag-ms");
      Files.writeString(file, Long.toString(lag.toMillis()));
      CardMutex.shareWithEveryone(file);
      return this;
    } catch (IOException e) {
      throw new CardException("could not write the lag of the card in " + directory, e);
    }
  }

  public Path directory() {
    return directory;
  }

  public CardJournal journal() {
    return journal;
  }

  /**
   * Takes memory for this process.
   *
   * @throws CardException.Full when less is free; the journal has a line for it
   * @throws IllegalStateException when this process has a claim on this card already
   */
  public Claim claim(String who, int mib) {
    return mutex.hold(
        () -> {
          if (CLAIMS_OF_THIS_PROCESS.keySet().stream().anyMatch(own -> own.startsWith(directory))) {
            throw new IllegalStateException(
                who + " made a second claim in one process; it can only grow the first");
          }
          Holder holder = Holder.ofThisProcess(who);
          takeOrFail(holder, mib, mib);
          Claim claim = Claim.create(this, holder, mib);
          journal.add(CardJournal.Event.CLAIM, holder, mib, free());
          return claim;
        });
  }

  public int freeMib() {
    return mutex.hold(this::free);
  }

  /** What a tool that asks the driver would see now. */
  public Reading reading() {
    return mutex.hold(
        () -> {
          List<Held> held =
              survey().stream()
                  .map(file -> new Held(file.path(), file.mib(), !file.dead(), holderOf(file)))
                  .toList();
          int used = held.stream().mapToInt(Held::mib).sum();
          return new Reading(TOTAL_MIB, TOTAL_MIB - used, held);
        });
  }

  /** Memory of the card at one moment. */
  public record Reading(int totalMib, int freeMib, List<Held> held) {}

  /**
   * One claim.
   *
   * @param alive false for a dead process whose memory has not come back yet
   */
  public record Held(Path file, int mib, boolean alive, Holder holder) {}

  <T> T underMutex(Supplier<T> work) {
    return mutex.hold(work);
  }

  /** Under the mutex: refuses when the card has not got this much more. */
  void takeOrFail(Holder holder, int moreMib, int claimMib) {
    int free = free();
    if (moreMib > free) {
      journal.add(CardJournal.Event.FAILED, holder, claimMib, free);
      throw new CardException.Full(holder.who(), moreMib, free);
    }
  }

  void ownedHere(Path claim, Holder holder) {
    CLAIMS_OF_THIS_PROCESS.put(claim, holder);
  }

  void noLongerOwnedHere(Path claim) {
    CLAIMS_OF_THIS_PROCESS.remove(claim);
  }

  /** Under the mutex. */
  int free() {
    return TOTAL_MIB - survey().stream().mapToInt(ClaimFile::mib).sum();
  }

  private List<ClaimFile> survey() {
    long now = System.currentTimeMillis();
    long lagMillis = lag().toMillis();
    List<ClaimFile> held = new ArrayList<>();
    List<ClaimFile> newlyDead = new ArrayList<>();
    for (ClaimFile file : claimFiles()) {
      if (file.dead() || !ownerIsDead(file)) {
        held.add(file);
      } else {
        ClaimFile dying = file.dying(now);
        newlyDead.add(dying);
        held.add(dying);
      }
    }
    newlyDead.forEach(file -> log(CardJournal.Event.DIED, file, held));
    for (ClaimFile file : List.copyOf(held)) {
      if (file.dead() && now - file.deadSinceMillis() >= lagMillis) {
        held.remove(file);
        log(CardJournal.Event.RELEASED, file, held);
        file.delete();
      }
    }
    return held;
  }

  private static boolean ownerIsDead(ClaimFile file) {
    return !CLAIMS_OF_THIS_PROCESS.containsKey(file.path()) && file.lockCanBeTaken();
  }

  private static Holder holderOf(ClaimFile file) {
    Holder own = CLAIMS_OF_THIS_PROCESS.get(file.path());
    return own != null ? own : file.holder();
  }

  private void log(CardJournal.Event event, ClaimFile file, List<ClaimFile> held) {
    int free = TOTAL_MIB - held.stream().mapToInt(ClaimFile::mib).sum();
    journal.add(event, file.holder(), file.mib(), free);
  }

  private List<ClaimFile> claimFiles() {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(ClaimFile::parse).flatMap(Optional::stream).toList();
    } catch (IOException e) {
      throw new CardException("could not list the card's directory " + directory, e);
    }
  }

  private Duration lag() {
    try {
      return Duration.ofMillis(
          Long.parseLong(Files.readString(directory.resolve("lag-ms")).strip()));
    } catch (IOException | NumberFormatException e) {
      return DEFAULT_LAG;
    }
  }
}
