package billing.xnio;

import billing.Bill;
import billing.Stripe;
import billing.undertow.Service;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * A retry is scheduled and the handler returns, without a word to Undertow that it is not done.
 *
 * <p>Undertow ends the exchange then, with status 200: who asked for the bill is told of success
 * before the retry has begun.
 */
final class RecursionUndispatched implements HttpHandler {
  private final Ok stripe = new Ok();

  @Override
  public void handleRequest(HttpServerExchange exchange) {
    if (exchange.isInIoThread()) {
      exchange.dispatch(this);
      return;
    }
    Bill bill = Service.bill(exchange);
    stripe.greet(bill);
    attempt(exchange, bill, 0);
  }

  private void attempt(HttpServerExchange exchange, Bill bill, int attempt) {
    String key = UUID.randomUUID().toString();
    Stripe.Said said = said(bill, key);
    if (said != Stripe.Said.AGAIN || attempt + 1 == Stripe.ATTEMPTS) {
      Service.answer(exchange, said == Stripe.Said.PAID);
      return;
    }
    Runnable again = () -> attempt(exchange, bill, attempt + 1);
    exchange.getIoThread().executeAfter(again, 1, TimeUnit.SECONDS);
  }

  private Stripe.Said said(Bill bill, String key) {
    try {
      return stripe.charge(bill, key);
    } catch (IOException lost) {
      return Stripe.Said.AGAIN;
    }
  }
}
