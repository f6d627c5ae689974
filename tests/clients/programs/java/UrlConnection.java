import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;

/** HttpURLConnection, as it comes; --streaming sets the length of the body beforehand. */
final class UrlConnection implements Client {
  @Override
  public String charge(String base, Asked asked) throws Exception {
    if (asked.reused) {
      read(open(base + WARM_UP, asked));
    }
    HttpURLConnection connection = open(base + "/v1/charges", asked);
    byte[] body = FORM.getBytes(StandardCharsets.US_ASCII);
    connection.setRequestMethod("POST");
    connection.setDoOutput(true);
    if (asked.key != null) {
      connection.setRequestProperty("Idempotency-Key", asked.key);
    }
    if (asked.streaming) {
      connection.setFixedLengthStreamingMode(body.length);
    }
    try (OutputStream sending = connection.getOutputStream()) {
      sending.write(body);
    }
    return Client.id(connection.getResponseCode(), read(connection));
  }

  private static HttpURLConnection open(String url, Asked asked) throws Exception {
    HttpURLConnection connection = (HttpURLConnection) new URL(url).openConnection();
    connection.setRequestProperty("Authorization", AUTHORIZATION);
    connection.setConnectTimeout(asked.milliseconds);
    connection.setReadTimeout(asked.milliseconds);
    return connection;
  }

  private static String read(HttpURLConnection connection) throws Exception {
    if (connection.getResponseCode() >= 400) {
      return "";
    }
    try (InputStream receiving = connection.getInputStream()) {
      return new String(receiving.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
