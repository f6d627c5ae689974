package billing.undertow;

import billing.Bill;
import billing.Biller;
import billing.Stripe;
import io.undertow.client.ClientConnection;
import io.undertow.client.ClientRequest;
import java.util.concurrent.CompletableFuture;

/** The helper is given the key, a hash of the bill that was made before the first connection. */
final class HelperRemedied implements Biller {
  private final CompletableFuture<Boolean> outcome = new CompletableFuture<>();
  private Wire wire;
  private Bill bill;

  @Override
  public boolean bill(Bill owed) throws Exception {
    wire = Wire.timed();
    bill = owed;
    String key = bill.key();
    wire.connect(
        Wire.callback(
            why -> outcome.complete(false),
            opened -> Wire.greet(opened, bill, () -> charge(opened, key, 0))));
    return outcome.get() || Stripe.listed(bill);
  }

  private void charge(ClientConnection connection, String key, int attempt) {
    Wire.Outcome outcome =
        new Wire.Outcome(
            (status, body) -> answered(connection, Stripe.said(status, body, bill), key, attempt),
            why -> again(connection, key, attempt));
    Wire.send(connection, request(bill, key), bill.body(), outcome);
  }

  private static ClientRequest request(Bill bill, String key) {
    return Wire.charge(key, bill.body());
  }

  private void answered(ClientConnection connection, Stripe.Said said, String key, int attempt) {
    if (said == Stripe.Said.AGAIN) {
      again(connection, key, attempt);
    } else {
      outcome.complete(said == Stripe.Said.PAID);
    }
  }

  private void again(ClientConnection connection, String key, int attempt) {
    if (attempt + 1 == Stripe.PATIENCE) {
      outcome.complete(false);
    } else if (connection.isOpen()) {
      wire.later(() -> charge(connection, key, attempt + 1), Stripe.pause(attempt));
    } else {
      wire.later(() -> connect(connection, key, attempt + 1), Stripe.pause(attempt));
    }
  }

  private void connect(ClientConnection last, String key, int attempt) {
    wire.connect(
        Wire.callback(why -> again(last, key, attempt), opened -> charge(opened, key, attempt)));
  }
}
