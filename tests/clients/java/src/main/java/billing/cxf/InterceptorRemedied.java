package billing.cxf;

import billing.Bill;
import billing.Biller;
import billing.Stripe;
import billing.soap.Faults;
import billing.soap.StripePort;
import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.WebServiceException;

/** The key is put into the request context before the loop, and the interceptor copies it. */
final class InterceptorRemedied implements Biller {
  private final StripePort port = Proxies.through(new ContextKey());

  @Override
  public boolean bill(Bill bill) throws InterruptedException {
    ((BindingProvider) port).getRequestContext().put(ContextKey.PROPERTY, bill.key());
    return charged(bill) || Stripe.listed(bill);
  }

  private boolean charged(Bill bill) throws InterruptedException {
    for (int attempt = 0; attempt < Stripe.PATIENCE; attempt++) {
      try {
        port.charge(bill.customer(), bill.period(), bill.amount());
        return true;
      } catch (WebServiceException failed) {
        if (Faults.refused(failed)) {
          return false;
        }
        Thread.sleep(Stripe.pause(attempt));
      }
    }
    return false;
  }
}
