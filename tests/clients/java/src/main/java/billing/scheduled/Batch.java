package billing.scheduled;

import billing.Bill;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * What a run of the job bills: {@code BILLING_CUSTOMERS} customers, or the one that all these
 * services bill.
 */
final class Batch {
  private static final int THREADS = 16;
  private static final int CUSTOMERS =
      Integer.parseInt(System.getenv().getOrDefault("BILLING_CUSTOMERS", "1"));

  /** What is done for one bill; says whether it is paid. */
  interface Payment {
    boolean of(Bill bill) throws Exception;
  }

  private final List<Bill> bills;

  /** The bill, or as many like it as there are customers. */
  Batch(Bill bill) {
    bills =
        CUSTOMERS == 1
            ? List.of(bill)
            : IntStream.rangeClosed(1, CUSTOMERS)
                .mapToObj(n -> new Bill("cus_%03d".formatted(n), bill.period(), bill.amount()))
                .toList();
  }

  /** Bills customer after customer, a few at once; returns whether all have paid. */
  boolean paid(Payment payment) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(Math.min(THREADS, bills.size()));
    try {
      List<Callable<Boolean>> tasks = new ArrayList<>();
      bills.forEach(bill -> tasks.add(() -> payment.of(bill)));
      boolean all = true;
      for (Future<Boolean> each : threads.invokeAll(tasks)) {
        all &= each.get();
      }
      return all;
    } finally {
      threads.shutdown();
    }
  }
}
