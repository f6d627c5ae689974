package billing.undertow;

import billing.Bill;
import billing.Biller;
import billing.Stripe;
import io.undertow.client.ClientConnection;
import io.undertow.client.ClientRequest;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** A retry goes out on the kept connection while it is open; a helper builds each request anew. */
final class HelperUnsafe implements Biller {
  private final CompletableFuture<Boolean> outcome = new CompletableFuture<>();
  private Wire wire;
  private Bill bill;

  @Override
  public boolean bill(Bill owed) throws Exception {
    wire = new Wire();
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
    } else if (connection.isOpen()) {
      wire.later(() -> charge(connection, attempt + 1), Stripe.DELAY);
    } else {
      wire.later(() -> connect(connection, attempt + 1), Stripe.DELAY);
    }
  }

  private void connect(ClientConnection last, int attempt) {
    wire.connect(Wire.callback(why -> again(last, attempt), opened -> charge(opened, attempt)));
  }
}
