package billing.cxf;

import static java.util.concurrent.CompletableFuture.delayedExecutor;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

import billing.Bill;
import billing.Biller;
import billing.Stripe;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.client.InvocationCallback;
import jakarta.ws.rs.core.Response;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.cxf.jaxrs.client.WebClient;

/** The key is made before the first post; each callback hands it to the post that follows. */
final class AsyncRemedied implements Biller {
  private final Supplier<WebClient> clients;

  AsyncRemedied(Supplier<WebClient> clients) {
    this.clients = clients;
  }

  @Override
  public boolean bill(Bill bill) throws InterruptedException {
    CompletableFuture<Boolean> paid = new CompletableFuture<>();
    post(bill, bill.key(), paid, 0);
    return paid.join() || Stripe.listed(bill);
  }

  private void post(Bill bill, String key, CompletableFuture<Boolean> paid, int attempt) {
    clients
        .get()
        .header(Stripe.KEY, key)
        .async()
        .post(
            Entity.entity(bill.body(), Stripe.FORM_TYPE),
            new InvocationCallback<Response>() {
              private final AtomicBoolean failed = new AtomicBoolean();

              @Override
              public void completed(Response response) {
                switch (read(response, bill)) {
                  case PAID -> paid.complete(true);
                  case REFUSED -> paid.complete(false);
                  case AGAIN -> failed(new IllegalStateException("open"));
                }
              }

              /** CXF calls this up to three times for one post, of which one is answered. */
              @Override
              public void failed(Throwable failure) {
                if (failed.compareAndSet(false, true)) {
                  again(bill, key, paid, attempt);
                }
              }
            });
  }

  private static Stripe.Said read(Response response, Bill bill) {
    try {
      return Stripe.said(response.getStatus(), response.readEntity(String.class), bill);
    } catch (ProcessingException cut) {
      return Stripe.Said.AGAIN;
    }
  }

  private void again(Bill bill, String key, CompletableFuture<Boolean> paid, int attempt) {
    if (attempt + 1 == Stripe.PATIENCE) {
      paid.complete(false);
    } else {
      delayedExecutor(Stripe.pause(attempt), MILLISECONDS)
          .execute(() -> post(bill, key, paid, attempt + 1));
    }
  }
}
