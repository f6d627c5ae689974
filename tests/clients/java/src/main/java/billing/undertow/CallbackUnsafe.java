package billing.undertow;

import billing.Bill;
import billing.Biller;
import billing.Stripe;
import io.undertow.client.ClientCallback;
import io.undertow.client.ClientConnection;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.xnio.IoUtils;

/** The request and its key are made when a connection opened; whoever retries opens another. */
final class CallbackUnsafe implements Biller {
  private final CompletableFuture<Boolean> outcome = new CompletableFuture<>();
  private Wire wire;

  @Override
  public boolean bill(Bill bill) throws Exception {
    wire = Wire.timed();
    connect(bill, 0);
    return outcome.get();
  }

  private void connect(Bill bill, int attempt) {
    wire.connect(
        new ClientCallback<>() {
          @Override
          public void completed(ClientConnection connection) {
            String key = UUID.randomUUID().toString();
            Wire.greet(connection, bill, () -> charge(connection, bill, key, attempt));
          }

          @Override
          public void failed(IOException why) {
            again(bill, attempt);
          }
        });
  }

  private void charge(ClientConnection connection, Bill bill, String key, int attempt) {
    Wire.Outcome outcome =
        new Wire.Outcome(
            (status, body) -> {
              IoUtils.safeClose(connection);
              answered(Stripe.said(status, body, bill), bill, attempt);
            },
            why -> {
              IoUtils.safeClose(connection);
              again(bill, attempt);
            });
    Wire.send(connection, Wire.charge(key, bill.body()), bill.body(), outcome);
  }

  private void answered(Stripe.Said said, Bill bill, int attempt) {
    if (said == Stripe.Said.AGAIN) {
      again(bill, attempt);
    } else {
      outcome.complete(said == Stripe.Said.PAID);
    }
  }

  private void again(Bill bill, int attempt) {
    if (attempt + 1 < Stripe.ATTEMPTS) {
      wire.later(() -> connect(bill, attempt + 1), Stripe.DELAY);
    } else {
      outcome.complete(false);
    }
  }
}
