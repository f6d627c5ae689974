package billing.xnio;

import billing.Bill;
import billing.Stripe;
import java.io.IOException;
import java.time.Duration;
import okhttp3.FormBody;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/** OkHttp's blocking call, as a billing service is given it. */
final class Ok {
  private final OkHttpClient client =
      new OkHttpClient.Builder().readTimeout(Duration.ofMillis(Stripe.TIMEOUT)).build();

  /** Reads the customer: what follows is on a connection that was used before. */
  void greet(Bill bill) {
    Request request = to("/v1/customers/" + bill.customer()).build();
    try (Response answer = client.newCall(request).execute()) {
      answer.body().string();
    } catch (IOException lost) {
      return;
    }
  }

  /** Returns what Stripe says of a charge; raises what the client raises if it says nothing. */
  Stripe.Said charge(Bill bill, String key) throws IOException {
    FormBody.Builder form = new FormBody.Builder();
    bill.form().forEach(form::add);
    Request request = to("/v1/charges").header(Stripe.KEY, key).post(form.build()).build();
    try (Response answer = client.newCall(request).execute()) {
      return Stripe.said(answer.code(), answer.body().string(), bill);
    }
  }

  private static Request.Builder to(String path) {
    return new Request.Builder()
        .url(Stripe.BASE + path)
        .header("Authorization", Stripe.AUTHORIZATION);
  }
}
