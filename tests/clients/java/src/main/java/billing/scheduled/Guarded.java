package billing.scheduled;

import billing.Bill;
import billing.Biller;
import billing.Stripe;

/**
 * A session of the database holds the batch for as long as it lives, a row holds each payment,
 * and the key is the same for whoever makes it.
 *
 * <p>A row without a payment is of a replica that died, before Stripe charged or after: nothing
 * here knows which. The remedy asks Stripe's list first, since the key may have been forgotten,
 * and then for the charge under the same key.
 */
final class Guarded implements Biller {
  private static final int TICKS = 600;

  /** What becomes of a payment that another has claimed and not noted. */
  enum OfOthers {
    SKIPPED,
    ASKED_FOR
  }

  private final OfOthers others;
  private final Posting posting = new Posting();

  Guarded(OfOthers others) {
    this.others = others;
  }

  @Override
  public boolean bill(Bill bill) throws Exception {
    try (Records records = Records.opened()) {
      posting.greet();
      Pause.until(() -> records.completed(bill.period()));
      for (int tick = 0; tick < TICKS; tick++) {
        if (records.locked(bill.period())) {
          return ran(records, bill);
        }
        if (records.completed(bill.period())) {
          return true;
        }
        Thread.sleep(Stripe.DELAY);
      }
      return false;
    }
  }

  private boolean ran(Records records, Bill bill) throws Exception {
    boolean paid = new Batch(bill).paid(each -> paid(records, each));
    if (paid) {
      records.complete(bill.period());
    }
    return paid;
  }

  private boolean paid(Records records, Bill bill) throws Exception {
    boolean first = records.claimed(bill);
    Death.at("before-charge");
    if (!first && (others == OfOthers.SKIPPED || records.paid(bill))) {
      return true;
    }
    boolean paid = first ? charged(bill) : Stripe.listed(bill) || charged(bill);
    Death.at("after-charge");
    if (paid) {
      records.pay(bill);
    }
    return paid;
  }

  private boolean charged(Bill bill) throws InterruptedException {
    for (int attempt = 0; attempt < Stripe.PATIENCE; attempt++) {
      Stripe.Said said = posting.said(bill, bill.key());
      if (said != Stripe.Said.AGAIN) {
        return said == Stripe.Said.PAID;
      }
      Thread.sleep(Stripe.pause(attempt));
      if (Stripe.listed(bill)) {
        return true;
      }
    }
    return false;
  }
}
