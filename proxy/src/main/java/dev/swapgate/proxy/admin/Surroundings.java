package dev.swapgate.proxy.admin;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** What status tells that the gate does not know. Asked for each status: must be cheap. */
public interface Surroundings {

  /** The card's name; empty when unknown. */
  String cardName();

  OptionalLong memoryFreeMib();

  /** Chat requests that are held until the engine is back. */
  int held();

  /** The fallback providers, as they are shown. */
  List<Map<String, Object>> fallback();

  String version();
}
