package billing.xnio;

import billing.Bill;
import billing.Stripe;
import billing.undertow.Service;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * The key is a parameter from the first entry on.
 *
 * <p>The I/O thread only keeps the time: it sends the blocking call back to a worker.
 */
final class RecursionRemedied implements HttpHandler {
  private final Ok stripe = new Ok();

  @Override
  public void handleRequest(HttpServerExchange exchange) {
    if (exchange.isInIoThread()) {
      exchange.dispatch(this);
      return;
    }
    Bill bill = Service.bill(exchange);
    stripe.greet(bill);
    exchange.dispatch();
    attempt(exchange, bill, bill.key(), 0);
  }

  private void attempt(HttpServerExchange exchange, Bill bill, String key, int attempt) {
    Stripe.Said said = said(bill, key);
    if (said == Stripe.Said.AGAIN && attempt + 1 < Stripe.PATIENCE) {
      Runnable again = () -> attempt(exchange, bill, key, attempt + 1);
      Runnable handed = () -> exchange.getConnection().getWorker().execute(again);
      long pause = Stripe.pause(attempt);
      exchange.getIoThread().executeAfter(handed, pause, TimeUnit.MILLISECONDS);
      return;
    }
    Service.answer(exchange, said == Stripe.Said.PAID || listed(bill));
  }

  private Stripe.Said said(Bill bill, String key) {
    try {
      return stripe.charge(bill, key);
    } catch (IOException lost) {
      return Stripe.Said.AGAIN;
    }
  }

  private static boolean listed(Bill bill) {
    try {
      return Stripe.listed(bill);
    } catch (InterruptedException stopped) {
      return false;
    }
  }
}
