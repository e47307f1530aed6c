package dev.swapgate.gate.sim;

import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.Note;
import dev.swapgate.gate.core.StepTimes;
import dev.swapgate.gate.runtime.Memory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What outlives swapgate in the simulation. */
final class SimDisk {
  final Map<Job.Id, Job> jobs = new LinkedHashMap<>();
  final Map<String, String> settings = new LinkedHashMap<>();
  final List<StepTimes.Sample> times = new ArrayList<>();
  final Map<String, Note> notes = new LinkedHashMap<>();
  final Set<Job.Id> files = new HashSet<>();

  void update(Job job) {
    Job old = jobs.get(job.id());
    if (old != null && old.state().isFinal()) {
      return;
    }
    if (old != null) {
      jobs.put(job.id(), job);
    }
  }

  void note(Note note) {
    notes.put(note.backend() + " " + note.verb(), note);
  }

  Memory memory() {
    List<Job> open = jobs.values().stream().filter(job -> !job.state().isFinal()).toList();
    return new Memory(open, times, settings, List.copyOf(notes.values()));
  }
}
