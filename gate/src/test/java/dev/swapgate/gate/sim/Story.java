package dev.swapgate.gate.sim;

/** What people do to a simulated box, apart from what goes wrong by itself. */
interface Story {

  /** The box as it stands when the story begins. */
  SimWorld begin(Strikes strikes);

  /** The time in which faults may strike. */
  void tell(SimWorld world);

  /** Virtual milliseconds for which a healed box must stay so. */
  long stays();
}
