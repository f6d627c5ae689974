package billing.undertow;

import billing.Bill;
import billing.Biller;
import billing.Stripe;
import io.undertow.client.ClientConnection;
import java.util.concurrent.CompletableFuture;
import org.xnio.IoUtils;

/** The key is a hash of the bill, made before the first connection; all callbacks read that one. */
final class CallbackRemedied implements Biller {
  private final CompletableFuture<Boolean> outcome = new CompletableFuture<>();
  private Wire wire;

  @Override
  public boolean bill(Bill bill) throws Exception {
    wire = Wire.timed();
    connect(bill, bill.key(), 0);
    return outcome.get() || Stripe.listed(bill);
  }

  private void connect(Bill bill, String key, int attempt) {
    wire.connect(
        Wire.callback(
            why -> again(bill, key, attempt),
            opened -> Wire.greet(opened, bill, () -> charge(opened, bill, key, attempt))));
  }

  private void charge(ClientConnection connection, Bill bill, String key, int attempt) {
    Wire.Outcome outcome =
        new Wire.Outcome(
            (status, body) -> {
              IoUtils.safeClose(connection);
              answered(Stripe.said(status, body, bill), bill, key, attempt);
            },
            why -> {
              IoUtils.safeClose(connection);
              again(bill, key, attempt);
            });
    Wire.send(connection, Wire.charge(key, bill.body()), bill.body(), outcome);
  }

  private void answered(Stripe.Said said, Bill bill, String key, int attempt) {
    if (said == Stripe.Said.AGAIN) {
      again(bill, key, attempt);
    } else {
      outcome.complete(said == Stripe.Said.PAID);
    }
  }

  private void again(Bill bill, String key, int attempt) {
    if (attempt + 1 < Stripe.PATIENCE) {
      wire.later(() -> connect(bill, key, attempt + 1), Stripe.pause(attempt));
    } else {
      outcome.complete(false);
    }
  }
}
