package billing.xnio;

import billing.Bill;
import billing.Stripe;
import billing.undertow.Service;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The key is held in a reference that outlives the attempts, and each attempt fills it.
 *
 * <p>With {@code set}, each attempt has a new key. With {@code compareAndSet} only the first fills
 * it: what the later ones make is thrown away, and the key stays by accident.
 */
final class ReferenceUnsafe implements HttpHandler {
  /** How an attempt fills the reference. */
  interface Filling {
    void fill(AtomicReference<String> reference, String key);
  }

  private final Ok stripe = new Ok();
  private final Filling filling;

  private ReferenceUnsafe(Filling filling) {
    this.filling = filling;
  }

  static ReferenceUnsafe setting() {
    return new ReferenceUnsafe(AtomicReference::set);
  }

  static ReferenceUnsafe comparing() {
    return new ReferenceUnsafe((reference, key) -> reference.compareAndSet(null, key));
  }

  @Override
  public void handleRequest(HttpServerExchange exchange) {
    if (exchange.isInIoThread()) {
      exchange.dispatch(this);
      return;
    }
    Bill bill = Service.bill(exchange);
    stripe.greet(bill);
    exchange.dispatch();
    attempt(exchange, bill, new AtomicReference<>(), 0);
  }

  private void attempt(
      HttpServerExchange exchange, Bill bill, AtomicReference<String> key, int attempt) {
    filling.fill(key, UUID.randomUUID().toString());
    Stripe.Said said = said(bill, key.get());
    if (said != Stripe.Said.AGAIN || attempt + 1 == Stripe.ATTEMPTS) {
      Service.answer(exchange, said == Stripe.Said.PAID);
      return;
    }
    Runnable again = () -> attempt(exchange, bill, key, attempt + 1);
    exchange.getIoThread().executeAfter(again, Stripe.DELAY, TimeUnit.MILLISECONDS);
  }

  private Stripe.Said said(Bill bill, String key) {
    try {
      return stripe.charge(bill, key);
    } catch (IOException lost) {
      return Stripe.Said.AGAIN;
    }
  }
}
