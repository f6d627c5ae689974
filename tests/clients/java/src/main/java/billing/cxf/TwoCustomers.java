package billing.cxf;

import billing.Bill;
import billing.Biller;
import java.util.List;

/** Bills a second customer too: after the first, or before it on every other replica. */
record TwoCustomers(Biller each) implements Biller {
  @Override
  public boolean bill(Bill bill) throws Exception {
    Bill other = new Bill("cus_other", bill.period(), bill.amount());
    boolean paid = true;
    for (Bill next : turned() ? List.of(other, bill) : List.of(bill, other)) {
      paid &= each.bill(next);
    }
    return paid;
  }

  private static boolean turned() {
    return Integer.parseInt(System.getenv().getOrDefault("FAKESTRIPE_REPLICA", "0")) % 2 == 1;
  }
}
