package billing.undertow;

import billing.Bill;
import billing.Stripe;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import java.io.IOException;
import java.util.UUID;

/** The key has a base that stays, and the number of the attempt after it, for the logs. */
final class SuffixUnsafe implements HttpHandler {
  private final Apache stripe = new Apache();

  @Override
  public void handleRequest(HttpServerExchange exchange) throws Exception {
    if (exchange.isInIoThread()) {
      exchange.dispatch(this);
      return;
    }
    Service.answer(exchange, paid(Service.bill(exchange), UUID.randomUUID().toString()));
  }

  private boolean paid(Bill bill, String base) throws InterruptedException {
    stripe.greet(bill);
    for (int attempt = 0; attempt < Stripe.ATTEMPTS; attempt++) {
      try {
        Stripe.Said said = stripe.charge(bill, base + "-attempt-" + attempt);
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
