package billing.scheduled;

/** Ends the process as a kill does, at the point that {@code BILLING_DIES} names. */
final class Death {
  private static final int KILLED = 137;

  static void at(String point) {
    if (point.equals(System.getenv("BILLING_DIES"))) {
      Runtime.getRuntime().halt(KILLED);
    }
  }
}
