package billing.scheduled;

import billing.Bill;
import billing.Biller;
import billing.Stripe;
import java.util.function.Function;

/**
 * A replica asks whether the period is billed, bills it, and only then notes that it is: all
 * replicas can hear "no". A run that failed is made again at the next tick.
 */
final class CheckThenAct implements Biller {
  private final Keys keys;
  private final Posting posting = new Posting();

  CheckThenAct(Keys keys) {
    this.keys = keys;
  }

  @Override
  public boolean bill(Bill bill) throws Exception {
    try (Records records = Records.opened()) {
      posting.greet();
      for (int tick = 0; tick < Stripe.ATTEMPTS; tick++) {
        if (ran(records, bill)) {
          return true;
        }
        Thread.sleep(Stripe.DELAY);
      }
      return false;
    }
  }

  private boolean ran(Records records, Bill bill) throws Exception {
    if (records.completed(bill.period())) {
      return true;
    }
    Pause.until(() -> records.completed(bill.period()));
    Function<Bill, String> key = keys.get();
    boolean paid =
        new Batch(bill).paid(each -> posting.said(each, key.apply(each)) == Stripe.Said.PAID);
    if (paid) {
      records.complete(bill.period());
    }
    return paid;
  }
}
