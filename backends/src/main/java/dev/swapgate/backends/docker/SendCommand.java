package dev.swapgate.backends.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.DockerException;
import dev.swapgate.gate.core.CommandEnd;
import dev.swapgate.gate.core.ContainerSighting;
import dev.swapgate.gate.port.BackendException;
import java.time.Duration;

/**
 * Sends one command to one container, once, and says which of its three ends it had. Never throws:
 * what Docker does wrong is an end. Thread-safe.
 */
final class SendCommand {
  private final DockerHost host;
  private final TimedCalls calls;
  private final InspectContainer inspect;

  SendCommand(DockerHost host, TimedCalls calls, InspectContainer inspect) {
    this.host = host;
    this.calls = calls;
    this.inspect = inspect;
  }

  /** The one request, to the container with this name or id. */
  interface Request {
    void send(DockerClient docker, String nameOrId);
  }

  CommandEnd send(String verb, String container, Duration deadline, Request request) {
    CallEnd<Boolean> end =
        calls.call(
            "swapgate-" + verb + "-" + container,
            deadline,
            () -> {
              String target = target(container);
              try (DockerClient docker = host.forOneCommand()) {
                request.send(docker, target);
                return true;
              }
            });
    return commandEnd(end, verb + " " + container + " at " + host + ": ");
  }

  private String target(String container) {
    ContainerName.check(container);
    if (!ContainerName.looksLikeAnId(container)) {
      return container;
    }
    ContainerSighting seen = inspect.look(container);
    if (seen.id().isEmpty()) {
      throw new BackendException("No such container: " + container);
    }
    return seen.id();
  }

  private static CommandEnd commandEnd(CallEnd<Boolean> end, String what) {
    return switch (end) {
      case CallEnd.Answered<Boolean> done -> new CommandEnd.Done();
      case CallEnd.Threw<Boolean> threw -> threw(threw.error(), what);
      case CallEnd.Late<Boolean> late ->
          new CommandEnd.Unknown(what + "no answer within " + late.deadline().toMillis() + " ms");
      case CallEnd.NotBegun<Boolean> not ->
          new CommandEnd.Failed("nothing was sent: " + not.reason());
    };
  }

  private static CommandEnd threw(Throwable error, String what) {
    if (error instanceof DockerException answer) {
      return answered(answer);
    }
    if (error instanceof BackendException nobodyToSendItTo) {
      return new CommandEnd.Failed("nothing was sent: " + nobodyToSendItTo.getMessage());
    }
    if (error instanceof OneShotTransport.NotSentException unsent) {
      return new CommandEnd.Failed(unsent.getMessage() + ": " + Causes.of(unsent));
    }
    return new CommandEnd.Unknown(what + Causes.of(error));
  }

  /**
   * A 304 proves nothing: a start during a stop gets one at once, and then the container stops. A
   * 502 to 504 is a go-between's answer: the daemon behind it may still be at work.
   */
  private static CommandEnd answered(DockerException answer) {
    int status = answer.getHttpStatus();
    if (status == 304) {
      return new CommandEnd.Unknown("Docker answered 304, not modified, which proves nothing");
    }
    if (status >= 502 && status <= 504) {
      return new CommandEnd.Unknown(DockerSaid.words(answer));
    }
    return new CommandEnd.Failed(DockerSaid.words(answer));
  }
}
