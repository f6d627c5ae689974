package billing.cxf;

import billing.Bill;
import billing.Biller;
import billing.Stripe;
import billing.soap.StripePort;
import jakarta.xml.ws.WebServiceException;

/** A retry loop around a proxy whose interceptor makes a key for each message. */
final class InterceptorUnsafe implements Biller {
  private final StripePort port = Proxies.through(new MessageKey());

  @Override
  public boolean bill(Bill bill) throws InterruptedException {
    for (int attempt = 0; attempt < Stripe.ATTEMPTS; attempt++) {
      try {
        port.charge(bill.customer(), bill.period(), bill.amount());
        return true;
      } catch (WebServiceException failed) {
        Thread.sleep(Stripe.DELAY);
      }
    }
    return false;
  }
}
