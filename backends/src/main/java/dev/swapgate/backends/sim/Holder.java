package dev.swapgate.backends.sim;

/**
 * Who made a claim.
 *
 * @param who the simulator's name, without blanks
 * @param pid the process id as that process sees it: 1 inside a container
 * @param container the id of the container it runs in; empty when it runs in none
 */
public record Holder(String who, long pid, String container) {

  public Holder {
    who = who.replaceAll("[\\s,]+", "_");
  }

  static Holder ofThisProcess(String who) {
    return new Holder(who, ProcessHandle.current().pid(), ContainerId.ofThisProcess());
  }

  String line() {
    return who + "\t" + pid + "\t" + container + "\n";
  }

  static Holder parse(String line) {
    String[] fields = line.strip().split("\t", -1);
    if (fields.length < 2) {
      return new Holder("unknown", 0, "");
    }
    return new Holder(fields[0], Long.parseLong(fields[1]), fields.length > 2 ? fields[2] : "");
  }
}
