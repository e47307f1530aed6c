package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Jobs that were handed in together, by the name that was printed then. */
final class Batch {

  private Batch() {}

  /** A job's name never begins like that. */
  static boolean isName(String id) {
    return id.startsWith("b-");
  }

  /** Its jobs as they stand, in the order of their acceptance. */
  static List<JsonNode> look(AdminClient admin, String batch) {
    return Json.items(admin.get("jobs?batch=" + AdminClient.part(batch)), "jobs");
  }

  static List<String> jobs(AdminClient admin, String batch) {
    return look(admin, batch).stream().map(job -> Json.text(job, "id")).toList();
  }
}
