package dev.swapgate.backends.sim;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Pending, running and finished prompts, in memory only: a restart forgets them all, as the real
 * one does. Unbounded, as the real one is.
 */
final class ComfyQueue {
  private final PriorityQueue<ComfyPrompt> pending =
      new PriorityQueue<>(Comparator.comparingDouble(prompt -> prompt.number));
  private final Map<String, ComfyPrompt> history = new LinkedHashMap<>();
  private @Nullable ComfyPrompt running;
  private boolean interrupted;
  private boolean free;

  synchronized void add(ComfyPrompt prompt) {
    pending.add(prompt);
    notifyAll();
  }

  /** Waits for the next prompt; empty when memory is to be given back instead. */
  synchronized Optional<ComfyPrompt> take() throws InterruptedException {
    while (pending.isEmpty() && !free) {
      wait();
    }
    if (free) {
      free = false;
      return Optional.empty();
    }
    ComfyPrompt next = pending.remove();
    running = next;
    interrupted = false;
    return Optional.of(next);
  }

  synchronized void finished(ComfyPrompt prompt) {
    history.put(prompt.id, prompt);
    running = null;
  }

  /** Looked at between steps only, as the real one does. */
  synchronized boolean interruptWasAsked() {
    return interrupted;
  }

  /** Without an id: whatever runs. An id that does not run changes nothing. */
  synchronized boolean interrupt(@Nullable String id) {
    ComfyPrompt current = running;
    if (current != null && (id == null || id.equals(current.id))) {
      interrupted = true;
      return true;
    }
    return false;
  }

  synchronized boolean deletePending(String id) {
    return pending.removeIf(prompt -> prompt.id.equals(id));
  }

  synchronized void clearPending() {
    pending.clear();
  }

  synchronized void freeMemory() {
    free = true;
    notifyAll();
  }

  synchronized void deleteHistory(String id) {
    history.remove(id);
  }

  synchronized void clearHistory() {
    history.clear();
  }

  synchronized Optional<ComfyPrompt> finished(String id) {
    return Optional.ofNullable(history.get(id));
  }

  synchronized List<ComfyPrompt> finished() {
    return List.copyOf(history.values());
  }

  synchronized List<ComfyPrompt> running() {
    ComfyPrompt current = running;
    return current == null ? List.of() : List.of(current);
  }

  synchronized List<ComfyPrompt> pending() {
    List<ComfyPrompt> ordered = new ArrayList<>(pending);
    ordered.sort(Comparator.comparingDouble(prompt -> prompt.number));
    return ordered;
  }

  synchronized List<ComfyPrompt> all() {
    return Stream.of(running(), pending(), finished()).flatMap(List::stream).toList();
  }

  synchronized int remaining() {
    return pending.size() + (running == null ? 0 : 1);
  }
}
