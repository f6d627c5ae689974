package billing.scheduled;

import billing.Bill;
import billing.Stripe;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Asks Stripe for a charge, once, over connections that are kept. */
final class Posting {
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** Asks whether Stripe is there, before any money is moved. */
  void greet() throws InterruptedException {
    try {
      client.send(asked("/v1/customers?limit=1").build(), BodyHandlers.discarding());
    } catch (IOException absent) {
      // the charges will show it
    }
  }

  /** Returns what Stripe says of a bill under a key; no answer says nothing. */
  Stripe.Said said(Bill bill, String key) throws InterruptedException {
    HttpRequest request =
        asked("/v1/charges")
            .header("Content-Type", Stripe.FORM_TYPE)
            .header(Stripe.KEY, key)
            .POST(BodyPublishers.ofString(bill.body()))
            .build();
    try {
      HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
      return Stripe.said(answer.statusCode(), answer.body(), bill);
    } catch (IOException lost) {
      return Stripe.Said.AGAIN;
    }
  }

  private static HttpRequest.Builder asked(String path) {
    return HttpRequest.newBuilder(URI.create(Stripe.BASE + path))
        .header("Authorization", Stripe.AUTHORIZATION)
        .timeout(Duration.ofMillis(Stripe.TIMEOUT));
  }
}
