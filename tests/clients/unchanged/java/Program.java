import com.stripe.StripeClient;
import com.stripe.exception.ApiConnectionException;
import com.stripe.net.RequestOptions;
import com.stripe.param.ChargeCreateParams;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * A shop in Java that knows no other server than Stripe: Program STACK safe|unsafe|keyless. STACK
 * is stripe (stripe-java), http (java.net.http) or url (HttpURLConnection).
 *
 * <p>It gives up on an answer after three seconds and asks again, twice. Safe is one key per order,
 * unsafe a new one per attempt.
 */
public final class Program {
  private static final int ATTEMPTS = 3;
  private static final int MILLISECONDS = 3000;
  private static final String KEY = System.getenv("STRIPE_API_KEY");
  private static final URI CHARGES = URI.create("https://api.stripe.com/v1/charges");
  private static final String FORM =
      "amount=2000&currency=usd&source=tok_visa&metadata%5Border_id%5D=ord_1";

  private static final Map<String, Supplier<String>> KEYS =
      Map.of(
          "safe", () -> "order-ord_1",
          "unsafe", () -> UUID.randomUUID().toString(),
          "keyless", () -> null);

  private interface Charge {
    String with(String key) throws Exception;
  }

  private static final Map<String, Charge> STACKS =
      Map.of("stripe", stripe(), "http", http(), "url", Program::url);

  public static void main(String[] words) throws Exception {
    Charge charge = STACKS.get(words[0]);
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      String key = KEYS.get(words[1]).get();
      try {
        System.out.println("paid by " + charge.with(key));
        return;
      } catch (ApiConnectionException | IOException failed) {
        System.err.println(failed);
      }
    }
    System.exit(1);
  }

  private static Charge stripe() {
    StripeClient client =
        StripeClient.builder().setApiKey(KEY).setReadTimeout(MILLISECONDS).build();
    ChargeCreateParams params =
        ChargeCreateParams.builder()
            .setAmount(2000L)
            .setCurrency("usd")
            .setSource("tok_visa")
            .putMetadata("order_id", "ord_1")
            .build();
    return key ->
        client.v1().charges()
            .create(params, RequestOptions.builder().setIdempotencyKey(key).build()).getId();
  }

  private static Charge http() {
    HttpClient client = HttpClient.newHttpClient();
    return key -> {
      HttpRequest request =
          HttpRequest.newBuilder(CHARGES)
              .timeout(Duration.ofMillis(MILLISECONDS))
              .header("Authorization", "Bearer " + KEY)
              .header("Content-Type", "application/x-www-form-urlencoded")
              .header("Idempotency-Key", key)
              .POST(HttpRequest.BodyPublishers.ofString(FORM))
              .build();
      return client.send(request, HttpResponse.BodyHandlers.ofString()).body().substring(0, 40);
    };
  }

  private static String url(String key) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) CHARGES.toURL().openConnection();
    connection.setReadTimeout(MILLISECONDS);
    connection.setRequestMethod("POST");
    connection.setRequestProperty("Authorization", "Bearer " + KEY);
    if (key != null) {
      connection.setRequestProperty("Idempotency-Key", key);
    }
    connection.setDoOutput(true);
    connection.getOutputStream().write(FORM.getBytes(StandardCharsets.US_ASCII));
    return new String(connection.getInputStream().readNBytes(40), StandardCharsets.UTF_8);
  }
}
