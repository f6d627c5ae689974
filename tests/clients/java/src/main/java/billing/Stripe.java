package billing;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Where Stripe is, how long it is waited for, and how what it answers reads. */
public final class Stripe {
  public static final String BASE = System.getenv("STRIPE_API_BASE");
  public static final String CHARGES = BASE + "/v1/charges";
  public static final String AUTHORIZATION = "Bearer " + System.getenv("STRIPE_API_KEY");
  public static final String FORM_TYPE = "application/x-www-form-urlencoded";
  public static final String KEY = "Idempotency-Key";

  /** Milliseconds without an answer after which an attempt has failed: {@code BILLING_TIMEOUT}. */
  public static final int TIMEOUT =
      Integer.parseInt(System.getenv().getOrDefault("BILLING_TIMEOUT", "1000"));

  /** How often a careless service tries, and after how many milliseconds once more. */
  public static final int ATTEMPTS = 3;

  public static final int DELAY = 100;

  /** How often a careful one tries: with its pauses, longer than a charge stays in flight. */
  public static final int PATIENCE = 12;

  /** What an answer says of a bill. */
  public enum Said {
    PAID,
    AGAIN,
    REFUSED
  }

  /** Returns how many milliseconds a careful service waits after its nth attempt, from 0. */
  public static long pause(int attempt) {
    return Math.min(DELAY << Math.min(attempt, 6), 1000);
  }

  /** Returns what an answer says: one that is no charge of this bill settles nothing. */
  public static Said said(int status, String body, Bill bill) {
    if (status == 200) {
      return paid(body, bill) ? Said.PAID : Said.AGAIN;
    }
    boolean open = status >= 500 || status == 408 || status == 409 || status == 429;
    return open ? Said.AGAIN : Said.REFUSED;
  }

  /** Returns whether Stripe's own list shows the charge of a bill. */
  public static boolean listed(Bill bill) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(CHARGES + "?limit=100&customer=" + bill.customer()))
            .header("Authorization", AUTHORIZATION)
            .timeout(Duration.ofMillis(TIMEOUT))
            .build();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        String list = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
        if (paid(list, bill)) {
          return true;
        }
      } catch (IOException lost) {
        Thread.sleep(DELAY);
      }
    }
    return false;
  }

  /** Returns whether a charge, or a list of them, is of this bill and succeeded. */
  private static boolean paid(String body, Bill bill) {
    String charge = body.replaceAll("\\s", "");
    return charge.endsWith("}")
        && charge.contains("\"bill\":\"" + bill.name() + "\"")
        && charge.contains("\"status\":\"succeeded\"");
  }
}
