package dev.swapgate.proxy.images;

import dev.swapgate.gate.core.GateEvent;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.port.GateListener;
import dev.swapgate.gate.port.JobStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Lets threads wait until jobs have ended. Looks when the gate says that one did, and every few
 * seconds all the same: a lost event then only costs a look. Thread-safe.
 */
final class JobEnds implements GateListener {

  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);

  private final JobStore store;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private long calls;

  JobEnds(JobStore store) {
    this.store = store;
  }

  @Override
  public void happened(GateEvent event) {
    if (event.jobState().filter(Job.State::isFinal).isPresent()) {
      wake();
    }
  }

  /** Makes all who wait look whether they still want to. */
  void wake() {
    lock.lock();
    try {
      calls++;
      ended.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Blocks until all of them have ended, or nobody wants to know any more.
   *
   * @return how they stand then
   */
  List<Job> await(List<Job.Id> jobs, BooleanSupplier wanted) throws InterruptedException {
    while (true) {
      long before = calls();
      // Outside of the lock: the gate's thread must never wait for the disk.
      List<Job> seen = jobs.stream().flatMap(id -> store.job(id).stream()).toList();
      if (seen.stream().allMatch(job -> job.state().isFinal()) || !wanted.getAsBoolean()) {
        return seen;
      }
      awaitCall(before);
    }
  }

  private long calls() {
    lock.lock();
    try {
      return calls;
    } finally {
      lock.unlock();
    }
  }

  private void awaitCall(long before) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = BETWEEN_LOOKS.toNanos();
      while (calls == before && left > 0) {
        left = ended.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }
}
