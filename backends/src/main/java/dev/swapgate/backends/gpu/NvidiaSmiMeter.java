package dev.swapgate.backends.gpu;

import dev.swapgate.backends.settings.CardSettings;
import dev.swapgate.gate.core.CardReading;
import dev.swapgate.gate.port.GpuMeter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Reads the card's memory with nvidia-smi. {@code free} is what counts: {@code used} includes what
 * the driver reserves, and memory may be held by no process that can be named.
 *
 * <p>A tool that was never there is {@link CardReading.NoTool}; it is looked for again at each
 * reading, so one that is installed later is found. Once it has answered, everything but an answer
 * is {@link CardReading.Failed}: a tool that vanishes proves nothing about the card. Thread-safe.
 */
public final class NvidiaSmiMeter implements GpuMeter {

  /** Of one reading in all: both questions are asked at the same time. */
  static final Duration LIMIT = Duration.ofSeconds(5);

  private static final String FORMAT = "--format=csv,noheader,nounits";
  private static final String CARDS =
      "--query-gpu=index,uuid,name,memory.total,memory.used,memory.free";
  private static final String APPS = "--query-compute-apps=gpu_uuid,pid,used_memory";
  private static final String DRIVER = "--query-gpu=index,uuid,driver_version";

  private final CardSettings settings;
  private final CardTool tool;
  private final ContainerOfProcess containers;
  private final Duration limit;
  private final Executor threads =
      task -> Thread.ofVirtual().name("swapgate-measure-card").start(task);

  private volatile boolean answeredOnce;

  /** Older tools and stand-ins may not know the process's name: then it is not asked for again. */
  private volatile boolean namesProcesses = true;

  public NvidiaSmiMeter(CardSettings settings) {
    this(settings, Path.of("/proc"), LIMIT);
  }

  NvidiaSmiMeter(CardSettings settings, Path processes, Duration limit) {
    this.settings = settings;
    this.tool =
        new CardTool(
            settings.tool(), Optional.ofNullable(System.getenv("PATH")).orElse("/usr/bin:/bin"));
    this.containers = new ContainerOfProcess(processes);
    this.limit = limit;
  }

  @Override
  public CardReading read() {
    CompletableFuture<List<CardLines.App>> apps =
        CompletableFuture.supplyAsync(this::apps, threads)
            .completeOnTimeout(List.of(), limit.toMillis(), TimeUnit.MILLISECONDS);
    CardTool.Run cards = tool.run(limit, CARDS, FORMAT);
    return switch (cards) {
      case CardTool.Run.Absent absent ->
          answeredOnce
              ? new CardReading.Failed(absent.reason() + ", though it answered before")
              : new CardReading.NoTool(absent.reason());
      case CardTool.Run.Failed failed -> new CardReading.Failed(failed.reason());
      case CardTool.Run.Told told -> sample(told.lines(), apps);
    };
  }

  private CardReading sample(List<String> lines, CompletableFuture<List<CardLines.App>> apps) {
    List<CardLines.Line> cards = cards(lines);
    Optional<CardLines.Line> chosen = CardLines.chosen(cards, settings.index(), settings.uuid());
    if (chosen.isEmpty()) {
      return new CardReading.Failed(notThere(lines, cards));
    }
    CardLines.Line card = chosen.get();
    if (card.totalMib().isEmpty() || card.freeMib().isEmpty()) {
      return new CardReading.Failed(
          settings.tool() + " tells no memory of card " + card.index() + " " + card.name());
    }
    answeredOnce = true;
    return new CardReading.Sample(
        card.totalMib().getAsLong(), card.freeMib().getAsLong(), holders(card.uuid(), apps.join()));
  }

  private String notThere(List<String> lines, List<CardLines.Line> cards) {
    if (cards.isEmpty()) {
      return settings.tool()
          + " lists no card"
          + (lines.isEmpty() ? "" : ": " + CardLines.cut(lines.getFirst()));
    }
    String wanted = settings.uuid().orElseGet(() -> "with index " + settings.index().orElse(-1));
    return "no card " + wanted + "; " + settings.tool() + " lists: " + CardLines.listed(cards);
  }

  private List<CardReading.Holder> holders(String card, List<CardLines.App> apps) {
    return apps.stream()
        .filter(app -> app.cardUuid().equals(card))
        .map(
            app ->
                new CardReading.Holder(
                    app.pid(), app.mib(), containers.containerId(app.pid()), app.name()))
        .toList();
  }

  /** Who holds memory; empty when the tool will not tell: the free memory is known all the same. */
  private List<CardLines.App> apps() {
    if (namesProcesses) {
      CardTool.Run named = tool.run(limit, APPS + ",process_name", FORMAT);
      if (named instanceof CardTool.Run.Told told) {
        return apps(told.lines());
      }
      if (!(named instanceof CardTool.Run.Failed failed && failed.reason().contains("exit code"))) {
        return List.of();
      }
    }
    CardTool.Run plain = tool.run(limit, APPS, FORMAT);
    if (plain instanceof CardTool.Run.Told told) {
      namesProcesses = false;
      return apps(told.lines());
    }
    return List.of();
  }

  private static List<CardLines.App> apps(List<String> lines) {
    return lines.stream().map(CardLines::app).flatMap(Optional::stream).toList();
  }

  private static List<CardLines.Line> cards(List<String> lines) {
    return lines.stream().map(CardLines::card).flatMap(Optional::stream).toList();
  }

  /** What the chosen card is; empty when the tool is missing or does not tell. */
  public Optional<CardFacts> facts() {
    if (!(tool.run(limit, CARDS, FORMAT) instanceof CardTool.Run.Told told)) {
      return Optional.empty();
    }
    return CardLines.chosen(cards(told.lines()), settings.index(), settings.uuid())
        .map(
            card ->
                new CardFacts(
                    card.name(), card.uuid(), driver(card.uuid()), card.totalMib().orElse(0)));
  }

  private String driver(String uuid) {
    if (!(tool.run(limit, DRIVER, FORMAT) instanceof CardTool.Run.Told told)) {
      return "";
    }
    return told.lines().stream()
        .map(line -> line.split(",", -1))
        .filter(parts -> parts.length == 3 && parts[1].strip().equals(uuid))
        .map(parts -> parts[2].strip())
        .findFirst()
        .orElse("");
  }
}
