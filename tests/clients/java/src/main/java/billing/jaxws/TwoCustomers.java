package billing.jaxws;

import billing.Bill;
import billing.Biller;
import billing.soap.StripePort;
import io.github.resilience4j.retry.Retry;
import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.WebServiceException;
import jakarta.xml.ws.handler.MessageContext;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/**
 * Two customers billed at once through one proxy, each with its key in the request context.
 *
 * <p>The second is prepared when the first has been tried, and charged when the first is settled:
 * between the two lies what a service does before it charges, such as claiming the bill.
 */
final class TwoCustomers implements Biller {
  private static final String KEY = "billing.key";

  private final CountDownLatch tried = new CountDownLatch(1);
  private final StripePort port = new Ports(new KeyHandler(this::key)).port();
  private final Retry retry = Retries.careful();

  TwoCustomers(boolean contextOfThread) {
    context().put("thread.local.request.context", contextOfThread);
  }

  @Override
  public boolean bill(Bill bill) throws InterruptedException {
    Bill second = new Bill("cus_other", bill.period(), bill.amount());
    CompletableFuture<Boolean> first =
        CompletableFuture.supplyAsync(
            () -> {
              context().put(KEY, bill.key());
              return charged(bill);
            });
    tried.await();
    context().put(KEY, second.key());
    boolean paid = first.join();
    return charged(second) && paid;
  }

  private String key(MessageContext message) {
    String key = (String) message.get(KEY);
    tried.countDown();
    return key;
  }

  private boolean charged(Bill bill) {
    try {
      retry.executeRunnable(() -> port.charge(bill.customer(), bill.period(), bill.amount()));
      return true;
    } catch (WebServiceException failed) {
      return false;
    }
  }

  private Map<String, Object> context() {
    return ((BindingProvider) port).getRequestContext();
  }
}
