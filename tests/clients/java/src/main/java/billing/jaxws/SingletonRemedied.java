package billing.jaxws;

import billing.Bill;
import billing.Biller;
import billing.Stripe;
import billing.soap.StripePort;
import io.github.resilience4j.retry.Retry;
import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.WebServiceException;
import java.util.Map;

/**
 * The key is put into the request context of the one proxy, outside what is retried.
 *
 * <p>CXF shares that context between threads unless it is told not to: two customers who are
 * billed at once would get each other's key.
 */
final class SingletonRemedied implements Biller {
  private static final String KEY = "billing.key";
  private static final String OF_THREAD = "thread.local.request.context";

  private final StripePort port =
      new Ports(new KeyHandler(message -> (String) message.get(KEY))).port();
  private final Retry retry = Retries.careful();

  SingletonRemedied() {
    context().put(OF_THREAD, true);
  }

  @Override
  public boolean bill(Bill bill) throws InterruptedException {
    context().put(KEY, bill.key());
    try {
      retry.executeRunnable(() -> charge(bill));
      return true;
    } catch (WebServiceException failed) {
      return Stripe.listed(bill);
    }
  }

  private void charge(Bill bill) {
    port.charge(bill.customer(), bill.period(), bill.amount());
  }

  private Map<String, Object> context() {
    return ((BindingProvider) port).getRequestContext();
  }
}
