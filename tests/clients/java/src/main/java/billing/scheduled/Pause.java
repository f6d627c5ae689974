package billing.scheduled;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.Callable;

/**
 * Stops the replica that {@code BILLING_LATE} names until the others have done their work; when
 * it goes on, {@code BILLING_LATE_BY} has passed at Stripe.
 */
final class Pause {
  private static final int TICK = 50;

  static void until(Callable<Boolean> done) throws Exception {
    if (!System.getenv("FAKESTRIPE_REPLICA").equals(System.getenv("BILLING_LATE"))
        || System.getenv("FAKESTRIPE_PROFILE").equals("fault-free")) {
      return;
    }
    while (!done.call()) {
      Thread.sleep(TICK);
    }
    String passed = "{\"advance\": \"" + System.getenv("BILLING_LATE_BY") + "\"}";
    URI clock = URI.create(System.getenv("FAKESTRIPE_URL") + "/_fakestripe/clock");
    HttpRequest request =
        HttpRequest.newBuilder(clock)
            .header("Authorization", "Bearer " + System.getenv("STRIPE_API_KEY"))
            .POST(BodyPublishers.ofString(passed))
            .build();
    int status = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).statusCode();
    if (status != 200) {
      throw new IllegalStateException("the clock answered " + status);
    }
  }
}
