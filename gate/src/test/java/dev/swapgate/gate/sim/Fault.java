package dev.swapgate.gate.sim;

/**
 * What can go wrong in the simulated world. The first ones strike where their call is made; from
 * {@link #DIES} on they can strike in every phase.
 *
 * <p>{@code swap} is the chance at each opportunity in a worst short schedule, {@code day} in a
 * worst long one. They are chosen so that a schedule has a handful of faults and still gets
 * somewhere.
 */
enum Fault {
  COMMAND_REFUSED("a Docker command is answered 500", 0.12, 0.15),
  REPLY_LOST("a Docker command works, its reply is lost", 0.12, 0.15),
  COMMAND_HANGS("a Docker command does nothing and is never answered", 0.08, 0.10),
  LATE_EFFECT("a Docker command works after its deadline", 0.12, 0.15),
  STOP_IGNORED("a stop has no effect until the kill", 0.10, 0.05),
  LOOK_FAILS("Docker does not answer a look", 0.04, 0.10),
  LOOK_SLOW("a look takes seconds, its parts of different age", 0.04, 0.10),
  HINT_LOST("a Docker event is lost", 0.20, 0.10),
  HINT_DOUBLED("a Docker event comes twice", 0.10, 0.10),
  CARD_UNREADABLE("nvidia-smi fails", 0.05, 0.05),
  PROBE_FLAPS("a ready server fails a probe", 0.10, 0.20),
  EXITS_AT_ONCE("a container exits right after its start", 0.12, 0.10),
  NEVER_READY("a container never gets ready", 0.05, 0.05),
  STORE_DOWN("the disk is full for a while", 0.06, 0.01),
  SERVER_SILENT("a media server works, its answer is lost", 0.06, 0.15),
  JOB_ERRORS("a job fails on its server", 0.10, 0.07),
  JOB_HANGS("a job makes no progress", 0.05, 0.04),
  DIES("a running container dies", 0.010, 0.016),
  BROKEN("a container exits at every start for some minutes", 0.012, 0.004),
  STARTED_BY_HAND("somebody starts a container", 0.010, 0.012),
  STOPPED_BY_HAND("somebody stops a container", 0.008, 0.006),
  KILLED_BY_HAND("somebody kills a container", 0.008, 0.006),
  PAUSED_BY_HAND("somebody pauses a container", 0.008, 0.006),
  RECREATED("compose takes a container away and makes it anew", 0.008, 0.006),
  ALL_STARTED("everything that is down is started at once", 0.006, 0.006),
  CRASH("swapgate is killed", 0.0012, 0.0008),
  OUTAGE("the Docker daemon is away", 0.006, 0.008),
  STRANGER("a process of nobody's takes card memory", 0.006, 0.008),
  CLOCK_JUMP("the wall clock jumps", 0.010, 0.008),
  STALL("swapgate stands still for a while", 0.006, 0.004);

  final String words;
  final double swap;
  final double day;

  Fault(String words, double swap, double day) {
    this.words = words;
    this.swap = swap;
    this.day = day;
  }
}
