package billing.undertow;

import billing.Bill;
import billing.Stripe;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import java.io.IOException;
import java.util.UUID;

/** Dispatches to a worker, whose loop makes a key for each of its turns. */
final class DispatchUnsafe implements HttpHandler {
  private final Apache stripe = new Apache();

  @Override
  public void handleRequest(HttpServerExchange exchange) throws Exception {
    if (exchange.isInIoThread()) {
      exchange.dispatch(this);
      return;
    }
    Service.answer(exchange, paid(Service.bill(exchange)));
  }

  private boolean paid(Bill bill) throws InterruptedException {
    stripe.greet(bill);
    for (int attempt = 0; attempt < Stripe.ATTEMPTS; attempt++) {
      String key = UUID.randomUUID().toString();
      try {
        Stripe.Said said = stripe.charge(bill, key);
        if (said != Stripe.Said.AGAIN) {
          return said == Stripe.Said.PAID;
        }
      } catch (IOException lost) {
        Thread.sleep(Stripe.DELAY);
      }
    }
    return false;
  }
}
