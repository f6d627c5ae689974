import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** java.net.http, as it comes. */
final class JavaNetHttp implements Client {
  @Override
  public String charge(String base, Asked asked) throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    if (asked.reused) {
      client.send(to(base + WARM_UP, asked).build(), BodyHandlers.ofString());
    }
    HttpRequest.Builder request =
        to(base + "/v1/charges", asked)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(FORM));
    if (asked.key != null) {
      request.header("Idempotency-Key", asked.key);
    }
    HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
    return Client.id(answer.statusCode(), answer.body());
  }

  private static HttpRequest.Builder to(String url, Asked asked) {
    return HttpRequest.newBuilder(URI.create(url))
        .header("Authorization", AUTHORIZATION)
        .timeout(Duration.ofMillis(asked.milliseconds));
  }
}
