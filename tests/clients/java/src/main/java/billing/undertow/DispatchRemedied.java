package billing.undertow;

import billing.Bill;
import billing.Stripe;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.AttachmentKey;
import java.io.IOException;

/** The key is attached to the exchange before it is dispatched; the worker's loop only reads it. */
final class DispatchRemedied implements HttpHandler {
  private static final AttachmentKey<String> KEY = AttachmentKey.create(String.class);

  private final Apache stripe = new Apache();

  @Override
  public void handleRequest(HttpServerExchange exchange) throws Exception {
    Bill bill = Service.bill(exchange);
    if (exchange.isInIoThread()) {
      exchange.putAttachment(KEY, bill.key());
      exchange.dispatch(this);
      return;
    }
    Service.answer(exchange, paid(bill, exchange.getAttachment(KEY)) || Stripe.listed(bill));
  }

  private boolean paid(Bill bill, String key) throws InterruptedException {
    stripe.greet(bill);
    for (int attempt = 0; attempt < Stripe.PATIENCE; attempt++) {
      try {
        Stripe.Said said = stripe.charge(bill, key);
        if (said != Stripe.Said.AGAIN) {
          return said == Stripe.Said.PAID;
        }
      } catch (IOException lost) {
        // As open as an answer that settles nothing.
      }
      Thread.sleep(Stripe.pause(attempt));
    }
    return false;
  }
}
