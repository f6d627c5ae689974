package billing.jaxws;

import billing.Bill;
import billing.Biller;
import billing.soap.StripePort;
import io.github.resilience4j.retry.Retry;
import jakarta.xml.ws.WebServiceException;
import java.util.UUID;

/** One proxy for the whole life of the service; its handler runs for each call all the same. */
final class SingletonUnsafe implements Biller {
  private final StripePort port =
      new Ports(new KeyHandler(message -> UUID.randomUUID().toString())).port();
  private final Retry retry = Retries.careless();

  @Override
  public boolean bill(Bill bill) {
    try {
      retry.executeRunnable(() -> charge(bill));
      return true;
    } catch (WebServiceException failed) {
      return false;
    }
  }

  private void charge(Bill bill) {
    port.charge(bill.customer(), bill.period(), bill.amount());
  }
}
