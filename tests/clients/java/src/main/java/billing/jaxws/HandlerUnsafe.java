package billing.jaxws;

import billing.Bill;
import billing.Biller;
import io.github.resilience4j.retry.Retry;
import jakarta.xml.ws.WebServiceException;
import java.util.UUID;

/** The handler makes a key for each message; the service method around the proxy is retried. */
final class HandlerUnsafe implements Biller {
  private final Ports ports = new Ports(new KeyHandler(message -> UUID.randomUUID().toString()));
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
    ports.port().charge(bill.customer(), bill.period(), bill.amount());
  }
}
