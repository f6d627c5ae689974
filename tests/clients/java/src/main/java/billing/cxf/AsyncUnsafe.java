package billing.cxf;

import billing.Bill;
import billing.Biller;
import billing.Stripe;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.client.InvocationCallback;
import jakarta.ws.rs.core.Response;
import java.util.concurrent.CompletableFuture;
import org.apache.cxf.jaxrs.client.WebClient;

/** A failed callback posts again, through a client that is said to key what it sends. */
final class AsyncUnsafe implements Biller {
  private final WebClient client;

  AsyncUnsafe(WebClient client) {
    this.client = client;
  }

  @Override
  public boolean bill(Bill bill) {
    CompletableFuture<Boolean> paid = new CompletableFuture<>();
    post(bill, paid, Stripe.ATTEMPTS - 1);
    return paid.join();
  }

  private void post(Bill bill, CompletableFuture<Boolean> paid, int left) {
    client
        .async()
        .post(
            Entity.entity(bill.body(), Stripe.FORM_TYPE),
            new InvocationCallback<Response>() {
              @Override
              public void completed(Response response) {
                if (response.getStatus() >= 500) {
                  failed(new IllegalStateException("status " + response.getStatus()));
                } else {
                  paid.complete(response.getStatus() == 200);
                }
              }

              @Override
              public void failed(Throwable failure) {
                if (left > 0) {
                  post(bill, paid, left - 1);
                } else {
                  paid.complete(false);
                }
              }
            });
  }
}
