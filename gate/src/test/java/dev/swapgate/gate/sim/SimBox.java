package dev.swapgate.gate.sim;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Box;
import dev.swapgate.gate.core.Budgets;
import dev.swapgate.gate.core.Engine;
import dev.swapgate.gate.core.Media;
import dev.swapgate.gate.core.Policy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The box that is simulated: two engines and two media backends, one of them perhaps no server. */
final class SimBox {

  private SimBox() {}

  /**
   * @param batch whether the second engine is not for bad times but for busy ones
   * @param toExit whether music is made by a container that runs to its exit
   */
  static Box box(boolean batch, boolean toExit) {
    Optional<Backend.Id> second = Optional.of(new Backend.Id("ninfer"));
    Optional<Backend.Id> fallback = batch ? Optional.empty() : second;
    Optional<Backend.Id> busy = batch ? second : Optional.empty();
    Policy policy =
        new Policy(
            Duration.ofSeconds(60),
            Duration.ofMinutes(20),
            Duration.ZERO,
            Duration.ofMinutes(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(900),
            50,
            Duration.ofSeconds(20),
            Duration.ofSeconds(40));
    return new Box(
        List.of(engine("vllm", 300), engine("ninfer", 60)),
        List.of(media("comfyui", 180, false), media("music", 240, toExit)),
        new Backend.Id("vllm"),
        fallback,
        busy,
        policy);
  }

  private static Engine engine(String name, int readiness) {
    return new Engine(new Backend.Id(name), name, budgets(readiness), Optional.empty(), 3);
  }

  private static Media media(String name, int generation, boolean toExit) {
    return new Media(
        new Backend.Id(name),
        name,
        budgets(60),
        Duration.ofSeconds(generation),
        Duration.ofMinutes(10),
        Duration.ofMinutes(3),
        2,
        toExit);
  }

  private static Budgets budgets(int readiness) {
    return new Budgets(
        Duration.ofSeconds(60),
        Optional.of(Duration.ofSeconds(10)),
        Duration.ofSeconds(30),
        Duration.ofSeconds(20),
        Duration.ofSeconds(readiness),
        Duration.ofMillis(500),
        2,
        OptionalLong.empty());
  }
}
