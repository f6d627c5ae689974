package billing.jaxws;

import billing.Bill;
import billing.Biller;
import billing.Stripe;
import billing.soap.StripePort;
import io.github.resilience4j.retry.Retry;
import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.WebServiceException;

/**
 * The key is made outside what is retried and handed in; the handler copies it.
 *
 * <p>A request context belongs to one proxy, and each try has another: the key has to be put into
 * it inside, though it must not be made there.
 */
final class HandlerRemedied implements Biller {
  private static final String KEY = "billing.key";

  private final Ports ports = new Ports(new KeyHandler(message -> (String) message.get(KEY)));
  private final Retry retry = Retries.careful();

  @Override
  public boolean bill(Bill bill) throws InterruptedException {
    String key = bill.key();
    try {
      retry.executeRunnable(() -> charge(bill, key));
      return true;
    } catch (WebServiceException failed) {
      return Stripe.listed(bill);
    }
  }

  private void charge(Bill bill, String key) {
    StripePort port = ports.port();
    ((BindingProvider) port).getRequestContext().put(KEY, key);
    port.charge(bill.customer(), bill.period(), bill.amount());
  }
}
