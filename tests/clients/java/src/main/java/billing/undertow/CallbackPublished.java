package billing.undertow;

import billing.Bill;
import billing.Biller;
import billing.Stripe;
import io.undertow.client.ClientConnection;
import io.undertow.client.ClientExchange;
import io.undertow.client.ClientRequest;
import io.undertow.util.StringWriteChannelListener;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.xnio.channels.StreamSinkChannel;

/**
 * Connects again only where the request could not be opened, sent or written, and has no timer.
 *
 * <p>None of these callbacks hears of an answer that is lost, so what it waits for never comes.
 */
final class CallbackPublished implements Biller {
  private static final long GIVEN_UP = 3L * Stripe.TIMEOUT;

  private final CompletableFuture<Boolean> outcome = new CompletableFuture<>();
  private Wire wire;

  @Override
  public boolean bill(Bill bill) throws Exception {
    wire = Wire.untimed();
    connect(bill, 0);
    try {
      return outcome.get(GIVEN_UP, TimeUnit.MILLISECONDS);
    } catch (TimeoutException never) {
      return false;
    }
  }

  private void connect(Bill bill, int attempt) {
    wire.connect(
        Wire.callback(
            why -> again(bill, attempt), connection -> charge(connection, bill, attempt)));
  }

  private void charge(ClientConnection connection, Bill bill, int attempt) {
    ClientRequest request = Wire.charge(UUID.randomUUID().toString(), bill.body());
    connection.sendRequest(
        request,
        Wire.callback(why -> again(bill, attempt), exchange -> write(exchange, bill, attempt)));
  }

  private void write(ClientExchange exchange, Bill bill, int attempt) {
    exchange.setResponseListener(Wire.callback(why -> {}, this::answered));
    new StringWriteChannelListener(bill.body()) {
      @Override
      protected void handleError(StreamSinkChannel channel, IOException why) {
        again(bill, attempt);
      }
    }.setup(exchange.getRequestChannel());
  }

  private void answered(ClientExchange exchange) {
    outcome.complete(exchange.getResponse().getResponseCode() == 200);
  }

  private void again(Bill bill, int attempt) {
    if (attempt + 1 < Stripe.ATTEMPTS) {
      wire.later(() -> connect(bill, attempt + 1), Stripe.DELAY);
    } else {
      outcome.complete(false);
    }
  }
}
