package billing.undertow;

import billing.Bill;
import billing.Biller;
import billing.Stripe;
import io.undertow.client.ClientConnection;
import io.undertow.client.ClientRequest;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * A retry goes out on the kept connection, and a helper builds each request anew.
 *
 * <p>A reset, a close or a time-out leaves no connection to keep: then {@code anywhere} opens
 * another, and {@code onlyKept} sends on what is closed, where Undertow refuses to.
 */
final class HelperUnsafe implements Biller {
  private final CompletableFuture<Boolean> outcome = new CompletableFuture<>();
  private final boolean reconnects;
  private Wire wire;
  private Bill bill;

  private HelperUnsafe(boolean reconnects) {
    this.reconnects = reconnects;
  }

  static HelperUnsafe anywhere() {
    return new HelperUnsafe(true);
  }

  static HelperUnsafe onlyKept() {
    return new HelperUnsafe(false);
  }

  @Override
  public boolean bill(Bill owed) throws Exception {
    wire = Wire.timed();
    bill = owed;
    wire.connect(
        Wire.callback(
            why -> outcome.complete(false),
            opened -> Wire.greet(opened, bill, () -> charge(opened, 0))));
    return outcome.get();
  }

  private void charge(ClientConnection connection, int attempt) {
    Wire.Outcome outcome =
        new Wire.Outcome(
            (status, body) -> answered(connection, Stripe.said(status, body, bill), attempt),
            why -> again(connection, attempt));
    Wire.send(connection, request(bill), bill.body(), outcome);
  }

  private static ClientRequest request(Bill bill) {
    return Wire.charge(UUID.randomUUID().toString(), bill.body());
  }

  private void answered(ClientConnection connection, Stripe.Said said, int attempt) {
    if (said == Stripe.Said.AGAIN) {
      again(connection, attempt);
    } else {
      outcome.complete(said == Stripe.Said.PAID);
    }
  }

  private void again(ClientConnection connection, int attempt) {
    if (attempt + 1 == Stripe.ATTEMPTS) {
      outcome.complete(false);
    } else if (connection.isOpen() || !reconnects) {
      wire.later(() -> charge(connection, attempt + 1), Stripe.DELAY);
    } else {
      wire.later(() -> connect(connection, attempt + 1), Stripe.DELAY);
    }
  }

  private void connect(ClientConnection last, int attempt) {
    wire.connect(Wire.callback(why -> again(last, attempt), opened -> charge(opened, attempt)));
  }
}
