package billing.scheduled;

import billing.Biller;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The services of this folder, by system and form. Both systems have one remedy; beside it are
 * the halves of it that are taken for the whole.
 */
public final class Programs {
  public static final Map<String, Supplier<Biller>> ALL =
      Map.of(
          "scheduler unsafe", () -> new CheckThenAct(Keys.PER_RUN),
          "scheduler stable", () -> new CheckThenAct(Keys.PER_BILL),
          "scheduler skipping", () -> new Guarded(Guarded.OfOthers.SKIPPED),
          "scheduler remedied", () -> new Guarded(Guarded.OfOthers.ASKED_FOR),
          "shedlock unsafe", ExpiringLock::new,
          "shedlock remedied", () -> new Guarded(Guarded.OfOthers.ASKED_FOR));
}
