package billing.scheduled;

import billing.Bill;
import billing.Biller;
import billing.Stripe;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockingTaskExecutor.TaskResult;
import net.javacrumbs.shedlock.provider.jdbc.JdbcLockProvider;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A lock lets one replica bill, and is free again after {@code AT_MOST}, also while its job goes
 * on: the next replica finds the period not yet billed.
 */
final class ExpiringLock implements Biller {
  private static final Duration AT_MOST = Duration.ofMillis(200);
  private static final int TICK = 50;
  private static final int TICKS = 600;
  private static final int FAILURES = Stripe.ATTEMPTS;

  private final LockingTaskExecutor lock;
  private final Posting posting = new Posting();

  ExpiringLock() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(Records.URL);
    lock = new DefaultLockingTaskExecutor(new JdbcLockProvider(source));
  }

  @Override
  public boolean bill(Bill bill) throws Exception {
    try (Records records = Records.opened()) {
      posting.greet();
      int failures = 0;
      for (int tick = 0; tick < TICKS && failures < FAILURES; tick++) {
        TaskResult<Boolean> ran = locked(records, bill);
        if (ran.wasExecuted() && ran.getResult()) {
          return true;
        }
        failures += ran.wasExecuted() ? 1 : 0;
        Thread.sleep(TICK);
      }
      return false;
    }
  }

  private TaskResult<Boolean> locked(Records records, Bill bill) throws Exception {
    var wanted = new LockConfiguration(Instant.now(), "billing", AT_MOST, Duration.ZERO);
    try {
      return lock.executeWithLock(() -> ran(records, bill), wanted);
    } catch (Exception failed) {
      throw failed;
    } catch (Throwable failed) {
      throw new IllegalStateException(failed);
    }
  }

  private boolean ran(Records records, Bill bill) throws Exception {
    if (records.completed(bill.period())) {
      return true;
    }
    Function<Bill, String> key = Keys.PER_RUN.get();
    boolean paid =
        new Batch(bill).paid(each -> posting.said(each, key.apply(each)) == Stripe.Said.PAID);
    if (paid) {
      records.complete(bill.period());
    }
    return paid;
  }
}
