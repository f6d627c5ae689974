package billing.scheduled;

import billing.Bill;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

/** Makes what makes the keys of one run of the job. */
interface Keys extends Supplier<Function<Bill, String>> {
  /** Another run, another key for the same bill. */
  Keys PER_RUN =
      () -> {
        UUID run = UUID.randomUUID();
        return bill -> UUID.nameUUIDFromBytes((run + bill.name()).getBytes()).toString();
      };

  Keys PER_BILL = () -> Bill::key;
}
