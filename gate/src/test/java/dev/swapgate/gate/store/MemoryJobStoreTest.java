package dev.swapgate.gate.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.port.JobStore;
import org.junit.jupiter.api.Test;

class MemoryJobStoreTest extends JobStoreContract {
  private final MemoryJobStore memory = new MemoryJobStore();

  @Override
  JobStore create() {
    return memory;
  }

  @Override
  JobStore restarted() {
    memory.crash();
    return memory;
  }

  @Override
  void fillDisk() {
    memory.fail(true);
  }

  @Override
  void freeDisk() {
    memory.fail(false);
  }

  @Test
  void losesInACrashWhatALyingDiskDidNotSync() {
    Job first = store.insert(queued("first"), REQUEST, "");
    memory.lie(true);
    Job second = store.insert(queued("second"), REQUEST, "");
    memory.sync();
    Job third = store.insert(queued("third"), REQUEST, "");
    assertThat(store.open()).containsExactly(first, second, third);

    memory.crash();

    assertThat(store.open()).containsExactly(first, second);
  }

  @Test
  void failsTheNextWritesOnly() {
    memory.failNext(1);

    assertThatThrownBy(() -> store.put("a", "b")).isInstanceOf(JobStore.StoreException.class);
    store.put("a", "c");
    assertThat(store.settings()).containsEntry("a", "c");
  }
}
